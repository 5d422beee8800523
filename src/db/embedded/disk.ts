import { statfs } from 'node:fs/promises'

// PostgreSQL cannot go on writing without room for one more segment of its log.
const SEGMENT = 16 * 1024 * 1024

/** What the system says of a disk without room, in its own words and in those of PostgreSQL. */
export const NO_ROOM = /ENOSPC|EDQUOT|No space left on device|Disk quota exceeded/

/** How many bytes the disk of a folder has left for us; rejects when there is no such folder. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** Whether the disk of a cluster has too little room left for PostgreSQL to write. */
export async function isDiskFull(cluster: string): Promise<boolean> {
  const free = await freeBytes(cluster).catch(() => Number.POSITIVE_INFINITY)
  return free < SEGMENT
}
