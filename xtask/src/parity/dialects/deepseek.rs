//! The recordings of DeepSeek Harness.

use super::Dialect;

pub(super) struct DeepSeek;

impl Dialect for DeepSeek {}
