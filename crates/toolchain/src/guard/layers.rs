//! The layers of protection around a job: which are active, and if not, why.

use std::fmt;

/// One layer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Layer {
    /// It works; with a detail worth knowing, or nothing.
    Active(String),
    /// It does not, and why.
    Missing(String),
}

impl Layer {
    /// Whether it works.
    pub fn is_active(&self) -> bool {
        matches!(self, Layer::Active(_))
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Layer::Active(detail) if detail.is_empty() => write!(f, "active"),
            Layer::Active(detail) => write!(f, "active: {detail}"),
            Layer::Missing(why) => write!(f, "not active: {why}"),
        }
    }
}

/// What a guard found possible on this system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layers {
    /// No process outlives its job, whatever happens: jobs live in a PID namespace of their own. Without it the guard
    /// is a subreaper, which is as good unless the guard itself is killed.
    pub processes: Layer,
    /// The system itself stops a fork bomb; without this the guard does, by looking.
    pub fork_bombs: Layer,
    /// Jobs cannot reach the network.
    pub network: Layer,
    /// Jobs cannot change anything outside the scratch folder.
    pub writes: Layer,
    /// Jobs have no rights beyond an ordinary user's, whoever runs the guard.
    pub rights: Layer,
    /// System calls that reach beyond a job are forbidden.
    pub calls: Layer,
    /// The scratch folder is in memory.
    pub scratch_in_memory: Layer,
}

impl Layers {
    /// Each layer under its name.
    pub fn list(&self) -> [(&'static str, &Layer); 7] {
        [
            ("processes", &self.processes),
            ("fork bombs", &self.fork_bombs),
            ("network", &self.network),
            ("writes", &self.writes),
            ("rights", &self.rights),
            ("system calls", &self.calls),
            ("scratch in memory", &self.scratch_in_memory),
        ]
    }
}
