//! The policy that says yes.

use crate::{Admission, AdmitRequest, Authorizer, ClearRequest, Clearance};

/// Admits and clears everything: for tests, and for hosts that decide elsewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AllowAll;

impl Authorizer for AllowAll {
    fn admit(&self, _request: &AdmitRequest<'_>) -> Admission {
        Admission::Admitted
    }

    fn clear(&self, _request: &ClearRequest<'_>) -> Clearance {
        Clearance::Cleared
    }
}
