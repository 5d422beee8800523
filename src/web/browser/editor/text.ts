import { Fragment, type Node } from 'prosemirror-model'
import { isTooDense } from '#src/kit/body/bounds.ts'
import { normalizeBlocks } from './normal.ts'
import { buildDocument, type Environment, parseText, type Reading } from './parse.ts'
import { isRenderedSame } from './same.ts'
import { isList } from './schema.ts'
import { wouldJoin, writeBlock } from './write.ts'

// A block as it was written, with the lines between it and the block before.
type Source = { readonly at: number; readonly gap: string; readonly text: string }

/** A text that is open in the editor. */
export type OpenText = {
  /** The document to begin with. */
  readonly document: Node
  /** The Markdown of a document: blocks that are those of the beginning are written as they were. */
  write(document: Node): string
}

type Opening = Reading & {
  readonly environment: Environment
  readonly sources: ReadonlyMap<Node, Source>
  readonly after: string
  readonly count: number
}

const listBlocks = (document: Node): Node[] =>
  Array.from({ length: document.childCount }, (_, at) => document.child(at))

const copyEnvironment = ({ references }: Environment): Environment =>
  references === undefined ? {} : { references: { ...references } }

// A block of the top as it is written; `isSecond`: a list with the other sign, since a list stands before it.
type Written = {
  readonly node: Node
  readonly text: string
  readonly source?: Source | undefined
  readonly isSecond: boolean
}

// Whether a block is read as the same after what is written before it. Only a list takes in what follows.
const holds = (before: Written | undefined, node: Node, text: string, opening: Opening): boolean => {
  if (!isList(before?.node)) return true
  const parsed = parseText(`${before?.text}\n\n${text}`, opening, copyEnvironment(opening.environment))
  const found = normalizeBlocks(parsed.blocks.map(one => one.node))
  return Fragment.fromArray(found).eq(Fragment.fromArray(normalizeBlocks([before?.node as Node, node])))
}

const isNext = (before: Written | undefined, source: Source): boolean => before?.source?.at === source.at - 1

const writeNext = (before: Written | undefined, node: Node, opening: Opening, isAnew: boolean): Written => {
  const source = isAnew ? undefined : opening.sources.get(node)
  if (source !== undefined && (isNext(before, source) || holds(before, node, source.text, opening)))
    return { node, text: source.text, source, isSecond: false }
  const [normal] = normalizeBlocks([node])
  if (normal === undefined) return { node, text: '', isSecond: false }
  const usual = writeBlock(normal, opening)
  if (!wouldJoin(before?.node, node) || holds(before, normal, usual, opening))
    return { node, text: usual, isSecond: false }
  return { node, text: writeBlock(normal, opening, true), isSecond: true }
}

const gapBefore = (before: Written | undefined, { source }: Written): string => {
  if (before === undefined) return source?.at === 0 ? source.gap : ''
  return source !== undefined && isNext(before, source) ? source.gap : '\n\n'
}

const writeDocument = (document: Node, opening: Opening, isAnew: boolean): string => {
  let text = ''
  let before: Written | undefined
  for (const node of listBlocks(document)) {
    const next = writeNext(before, node, opening, isAnew)
    // A paragraph without words has no place in Markdown.
    if (next.text === '' && next.source === undefined) continue
    text += `${gapBefore(before, next)}${next.text}`
    before = next
  }
  const isLast = before?.source !== undefined && before.source.at === opening.count - 1
  return isLast ? `${text}${opening.after}` : text
}

const isReadAs = (text: string, document: Node, { fold }: Reading): boolean => {
  const found = normalizeBlocks(listBlocks(buildDocument(parseText(text, { fold }))))
  return Fragment.fromArray(found).eq(Fragment.fromArray(normalizeBlocks(listBlocks(document))))
}

const prepare = (text: string, reading: Reading): Opening & { readonly document: Node } => {
  const { lines, blocks, environment } = parseText(text, reading)
  const between = (from: number, to: number): string =>
    lines
      .slice(from, to)
      .map(line => `${line}\n`)
      .join('')
  const sources = new Map(
    blocks.map(({ node, from, to }, at) => {
      const end = blocks[at - 1]?.to ?? 0
      // The line end before the gap is that of the block before.
      const gap = `${at === 0 ? '' : '\n'}${between(end, from)}`
      return [node, { at, gap, text: lines.slice(from, to).join('\n') }] as const
    }),
  )
  const end = blocks.at(-1)?.to ?? 0
  const after = end === lines.length ? '' : `\n${lines.slice(end).join('\n')}`
  return { ...reading, environment, sources, after, count: blocks.length, document: buildDocument({ blocks }) }
}

/**
 * Opens a text in Markdown; undefined where it has something that the editor cannot show or would write in another way, so
 * that it has to be edited as Markdown.
 */
export const openText = (text: string, reading: Reading): OpenText | undefined => {
  if (isTooDense(text)) return undefined
  const opening = prepare(text, reading)
  const { document } = opening
  if (writeDocument(document, opening, false) !== (opening.count === 0 ? '' : text)) return undefined
  if (!isRenderedSame(text, writeDocument(document, opening, true))) return undefined
  return {
    document,
    write(changed) {
      const usual = writeDocument(changed, opening, false)
      return isReadAs(usual, changed, reading) ? usual : writeDocument(changed, opening, true)
    },
  }
}
