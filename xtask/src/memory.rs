//! How much memory this process has used, and how much it could have.

/// The most memory that was resident at a time, in bytes; none where the system does not tell.
pub(crate) fn peak() -> Option<u64> {
    entry("/proc/self/status", "VmHWM:")
}

/// How much memory can be had without taking it from others, in bytes; none where the system does not tell.
pub(crate) fn available() -> Option<u64> {
    entry("/proc/meminfo", "MemAvailable:")
}

/// A line of a file that says a size in kibibytes, in bytes.
fn entry(path: &str, name: &str) -> Option<u64> {
    let text = std::fs::read_to_string(path).ok()?;
    let size = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: u64 = size.trim().strip_suffix("kB")?.trim_end().parse().ok()?;
    Some(kibibytes * 1024)
}
