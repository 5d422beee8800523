import { isLine } from '../text.ts'
import type { ZipEntry } from './zip.ts'

/** Why an entry cannot be taken, by its name and type. */
export type NameFault =
  | 'not_utf8'
  | 'backslash'
  | 'absolute_path'
  | 'parent_folder'
  | 'control_character'
  | 'empty_name'
  | 'device_name'
  | 'name_too_long'
  | 'too_deep'
  | 'link'
  | 'special_file'
  | 'encrypted'
  | 'duplicate_name'
  | 'colliding_name'

/** What an entry of an archive is; hidden are files that begin with a dot, and what systems leave in folders. */
type Named =
  | { readonly path: string; readonly is: 'file' | 'hidden' | 'folder' }
  | { readonly path: string; readonly fault: NameFault }

const MAX_LEVELS = 20
const MAX_PATH_BYTES = 1000
const MAX_NAME_BYTES = 255

// The types of files on Unix, in the upper bits of a mode; archives that were made elsewhere have none.
const TYPE_BITS = 0o170000
const REGULAR = 0o100000
const FOLDER = 0o040000
const SYMBOLIC_LINK = 0o120000

// Windows opens these in every folder, with any ending.
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?=[ .]|$)/i
// What systems leave in folders.
const LEFTOVERS = /^(?:__macosx|thumbs\.db|desktop\.ini)$/i

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const decoded = (name: Buffer): string | undefined => {
  try {
    return utf8.decode(name).normalize('NFC')
  } catch {
    return undefined
  }
}

/** The bytes of a name as people can read them, whatever they are. */
const readable = (name: Buffer): string =>
  Array.from(name.toString('utf8').normalize('NFC'), character =>
    character === ' ' || isLine(character) ? character : '\ufffd',
  )
    .join('')
    .slice(0, 300)

type Check = readonly [NameFault, (path: string, segments: readonly string[]) => boolean]

// The first that holds is the fault.
const checks: readonly Check[] = [
  ['backslash', path => path.includes('\\')],
  ['absolute_path', path => path.startsWith('/') || /^[a-z]:/i.test(path)],
  ['parent_folder', (_, segments) => segments.some(segment => segment === '.' || segment === '..')],
  ['control_character', path => !isLine(path)],
  ['empty_name', (_, segments) => segments.includes('')],
  ['device_name', (_, segments) => segments.some(segment => DEVICE.test(segment))],
  ['name_too_long', path => Buffer.byteLength(path) > MAX_PATH_BYTES],
  ['name_too_long', (_, segments) => segments.some(segment => Buffer.byteLength(segment) > MAX_NAME_BYTES)],
  ['too_deep', (_, segments) => segments.length > MAX_LEVELS],
]

const findTypeFault = ({ mode, isLink, isEncrypted }: ZipEntry, isFolder: boolean): NameFault | undefined => {
  const type = mode & TYPE_BITS
  if (isLink || type === SYMBOLIC_LINK) return 'link'
  if (type !== 0 && type !== REGULAR && type !== FOLDER) return 'special_file'
  // A file that calls itself a folder, or the reverse, is unpacked differently by different programs.
  if (type !== 0 && (type === FOLDER) !== isFolder) return 'special_file'
  return isEncrypted ? 'encrypted' : undefined
}

const isHidden = (segment: string): boolean => segment.startsWith('.') || LEFTOVERS.test(segment)

/** Decides by the name and the type of an entry what it is. */
export const nameEntry = (entry: ZipEntry): Named => {
  const path = decoded(entry.name)
  if (path === undefined) return { path: readable(entry.name), fault: 'not_utf8' }
  const isFolder = path.endsWith('/') && path !== '/'
  const segments = (isFolder ? path.slice(0, -1) : path).split('/')
  const fault = checks.find(([, holds]) => holds(path, segments))?.[0] ?? findTypeFault(entry, isFolder)
  if (fault !== undefined) return { path: readable(entry.name), fault }
  if (isFolder) return { path, is: 'folder' }
  return { path, is: segments.some(isHidden) ? 'hidden' : 'file' }
}

// Names that some file systems cannot tell apart.
const folded = (path: string): string => path.toUpperCase().toLowerCase().normalize('NFC')

const listFolders = (path: string): string[] => [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index))

/** Recognises files whose names are the same, or differ only in case, and files that are also folders. */
export const createCollisions = () => {
  const files = new Map<string, string>()
  const folders = new Set<string>()
  return (path: string): NameFault | undefined => {
    const name = folded(path)
    const earlier = files.get(name)
    if (earlier !== undefined) return earlier === path ? 'duplicate_name' : 'colliding_name'
    const above = listFolders(name)
    if (folders.has(name) || above.some(folder => files.has(folder))) return 'colliding_name'
    files.set(name, path)
    for (const folder of above) folders.add(folder)
    return undefined
  }
}

/** The one folder in which all of these files are, if there is one. */
export const findRootFolder = (paths: readonly string[]): string | undefined => {
  const [first, ...others] = new Set(paths.map(path => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '')))
  return others.length === 0 && first !== '' ? first : undefined
}
