//! Catalog: the listing that the model sees, inside a budget, with a row for every skill.
//!
//! A [`Cataloger`] never touches a file; the same request gives the same bytes.

mod cataloger;

pub use cataloger::{Catalog, CatalogRequest, Cataloger, Disposition, Entry, RootAlias, Section};
