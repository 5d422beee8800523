/** A backup cannot be created, read or restored; the message is the one line that the operator needs. */
export class BackupRefused extends Error {
  override name = 'BackupRefused'
}

/** The refusal of a file that differs from what was written. */
export const damaged = (why: string): BackupRefused =>
  new BackupRefused(`the backup is damaged or was changed: ${why}; nothing was restored`)
