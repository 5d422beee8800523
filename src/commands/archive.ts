import { join, resolve } from 'node:path'
import pg from 'pg'
import type { Config } from '#src/config.ts'
import { BackupRefused } from '#src/db/backup/errors.ts'
import { Failed, type Run } from './command.ts'

const PATIENCE_MS = 5000

/** The file a command names. */
export const fileOf = (run: Run, usage: string): string => {
  const [file, more] = run.positionals
  if (file === undefined || file === '' || more !== undefined) throw new Failed(`say one file; usage: ${usage}`)
  return resolve(file)
}

/**
 * The folder in which the installation keeps uploaded files. Those in an object store are not in a backup: it has none,
 * and looks for them in a folder that is not there.
 */
export const objectFolderOf = ({ storage, dataFolder }: Config): string =>
  'folder' in storage ? storage.folder : join(dataFolder, 'objects')

/** A number of bytes as people say it. */
export const bytesInWords = (bytes: number): string => {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB']
  const step = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  return `${step === 0 ? bytes : (bytes / 1000 ** step).toFixed(1)} ${units[step]}`
}

/** Lets a line through when the last one is long enough ago that a person might wonder. */
export const patiently = (progress: Run['progress']): Run['progress'] => {
  let last = performance.now()
  return line => {
    if (performance.now() - last < PATIENCE_MS) return
    last = performance.now()
    progress(line)
  }
}

const isOfFiles = (error: Error): boolean =>
  'syscall' in error && 'code' in error && /^E[A-Z]+$/.test(String(error.code))

/** Says in one line why a backup could not be made or restored; `outcome` is what is so now. */
export const inOneLine = (error: unknown, outcome: string): unknown => {
  if (error instanceof BackupRefused) return new Failed(error.message)
  if (error instanceof pg.DatabaseError && error.code === '55P03')
    return new Failed(`somebody works on this database; stop every server of it first; ${outcome}`)
  if (error instanceof pg.DatabaseError) return new Failed(`the database refused: ${error.message}; ${outcome}`)
  if (error instanceof Error && (isOfFiles(error) || /^Connection terminated/.test(error.message)))
    return new Failed(`${error.message}; ${outcome}`)
  return error
}
