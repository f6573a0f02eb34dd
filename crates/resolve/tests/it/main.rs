//! Integration tests of the resolve stage.

mod by_name;
mod properties;
mod selection;
mod strict;
mod support;
