import { lineAt, only } from './source.ts'
import type { Source } from './statements.ts'
import type { Violation } from './violations.ts'

const EXPORTED = /^export (?:const|function|async function|type|interface|class|let) (\w+)/gm
const OPERATION = /^(?:export )?const (\w+) = (?:operation|declareFor)\([^{\n]*\{$([\s\S]*?)^\}\)$/gm
const LIST = /(?:^export const \w+\b[^=\n]*=|\boperations:)\s*\[([^\]]*)\]/gm

/** Exports without a comment above them that says in one sentence what they are for. */
export const undocumentedExports = ({ path, text, all }: Source): Violation[] => {
  if (path.endsWith('.test.ts')) return []
  return [...only(['code'], all).matchAll(EXPORTED)].flatMap(({ 1: name = '', index }) => {
    if (text.slice(0, index).endsWith('*/\n')) return []
    return [
      {
        file: path,
        line: lineAt(text, index),
        message: `the export ${name} needs one sentence above it: what it is for`,
      },
    ]
  })
}

/** Operations of an area that are in no list, so that neither the server nor the documentation has them. */
export const unlistedOperations = (sources: readonly Source[]): Violation[] => {
  const files = sources
    .filter(({ path }) => path.startsWith('src/areas/') && !path.endsWith('.test.ts'))
    .map(({ path, text, all }) => ({ path, text, area: path.split('/')[3], code: only(['code'], all) }))
    .map(file => ({ ...file, listed: listedIn(file.code) }))
  return files.flatMap(({ path, text, area, code, listed }) =>
    [...code.matchAll(OPERATION)].flatMap(({ 0: declared, 1: name = '', index }) => {
      const inArea = declared.startsWith('export ') && files.some(file => file.area === area && file.listed.has(name))
      if (inArea || listed.has(name)) return []
      return [
        {
          file: path,
          line: lineAt(text, index),
          message: `the operation ${name} is in no exported list of operations`,
        },
      ]
    }),
  )
}

/** Writes that record no audit entry or no fact. */
export const unrecordedWrites = ({ path, text, all }: Source): Violation[] => {
  if (!path.startsWith('src/areas/')) return []
  const code = only(['code'], all)
  return [...code.matchAll(OPERATION)].flatMap(({ 1: name = '', 2: body = '', index }) => {
    if (!isWrite(text.slice(index, index + body.length + 100))) return []
    // A handler that passes its whole context on is checked together with its file.
    const checked = /\(context\b/.test(body) ? code : body
    // Functions that call both, for operations of several areas: of subscriptions, and of imports.
    if (/\b(changedView|importMembers|importEnrollments)\(/.test(checked)) return []
    const missing = ['changed', 'record'].filter(word => !new RegExp(`\\b${word}\\(`).test(checked))
    if (missing.length === 0) return []
    return [
      { file: path, line: lineAt(text, index), message: `the write ${name} does not call ${missing.join(' and ')}` },
    ]
  })
}

const isWrite = (declared: string): boolean =>
  /= declareFor\(/.test(declared) ? !/\broute: ['`]GET /.test(declared) : /\bmode: 'write'/.test(declared)

const listedIn = (code: string): Set<string> =>
  new Set([...code.matchAll(LIST)].flatMap(([, names = '']) => names.match(/\w+/g) ?? []))
