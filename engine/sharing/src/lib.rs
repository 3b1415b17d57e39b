//! What the compiler refuses threads to do with a position: `tests/ui/refused`, each program beside a twin that it
//! accepts.
//!
//! The package is apart from `touchmove` because such a test builds anew all that the tests of its package use.
