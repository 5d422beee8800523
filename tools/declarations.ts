import { lineAt, only } from './source.ts'
import type { Source } from './statements.ts'
import type { Violation } from './violations.ts'

const EXPORTED = /^export (?:const|function|async function|type|interface|class|let) (\w+)/gm
const DECLARED = /^(?:export )?const (\w+) = operation\(\{$([\s\S]*?)^\}\)$/gm

/** Exports without the one sentence above them that says what they are for. */
export const unexplained = ({ path, text, all }: Source): Violation[] => {
  if (path.endsWith('.test.ts')) return []
  return [...only(['code'], all).matchAll(EXPORTED)].flatMap(({ 1: name = '', index }) => {
    if (text.slice(0, index).endsWith('*/\n')) return []
    return [{ file: path, line: lineAt(text, index), says: `say in one sentence above it what ${name} is for` }]
  })
}

/** Operations of a room that stand in no list, so that neither the server nor the documentation knows them. */
export const unlisted = ({ path, text, all }: Source): Violation[] => {
  if (!path.startsWith('src/areas/')) return []
  const code = only(['code'], all)
  const listed = [...code.matchAll(/^export const \w+ = \[([^\]]*)\]/gm)].map(([, names = '']) => names).join(',')
  return [...code.matchAll(DECLARED)].flatMap(({ 1: name = '', index }) => {
    if (text.slice(index).startsWith('export ') || new RegExp(`\\b${name}\\b`).test(listed)) return []
    return [{ file: path, line: lineAt(text, index), says: `${name} stands in no exported list of operations` }]
  })
}

/** Writes that tell neither the audit log what changed nor the worker what happened. */
export const untold = ({ path, text, all }: Source): Violation[] => {
  if (!path.startsWith('src/areas/')) return []
  const code = only(['code'], all)
  return [...code.matchAll(DECLARED)].flatMap(({ 1: name = '', 2: body = '', index }) => {
    if (!/\bmode: 'write'/.test(text.slice(index, index + body.length + 100))) return []
    // A handler that hands its whole context on is judged with the file it stands in.
    const judged = /\(context\b/.test(body) ? code : body
    const missing = ['changed', 'record'].filter(word => !new RegExp(`\\b${word}\\(`).test(judged))
    if (missing.length === 0) return []
    return [{ file: path, line: lineAt(text, index), says: `the write ${name} never calls ${missing.join(' and ')}` }]
  })
}
