//! The recordings of Hermes.

use super::Dialect;

pub(super) struct Hermes;

impl Dialect for Hermes {}
