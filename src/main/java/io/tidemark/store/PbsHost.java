package io.tidemark.store;

/**
 * Where a Proxmox Backup Server on this host keeps what concerns its datastores.
 *
 * @param configuration the file {@code datastore.cfg}
 * @param run the directory with {@code locks} and {@code active-operations}
 * @param tasks the directory with the list {@code active} of running tasks
 */
public record PbsHost(String configuration, String run, String tasks) {
  /** The paths that every installation uses. */
  public static final PbsHost DEFAULT =
      new PbsHost(
          "/etc/proxmox-backup/datastore.cfg",
          "/run/proxmox-backup",
          "/var/log/proxmox-backup/tasks");
}
