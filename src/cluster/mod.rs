//! Clusters: what a scheduler is asked and says, and the files that a run and its jobs share.

pub mod claims;
pub mod control;
pub mod crew;
pub mod desk;
pub mod doctor;
pub mod drive;
pub mod fleet;
pub mod known;
pub mod note;
pub mod polling;
pub mod profile;
pub mod script;
pub mod server;
pub mod session;
pub mod slurm;
pub mod waves;
