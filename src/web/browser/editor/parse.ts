import type { Mark, Node } from 'prosemirror-model'
import { buildMarkdown, type Markdown, type Token } from '#src/kit/body/markdown.ts'
import { isBreak, schema } from './schema.ts'

/** The parser by which lessons, posts and pages are rendered. */
export const markdown = buildMarkdown()

/** The definitions of links of a text, as the parser keeps them. */
export type Environment = NonNullable<Parameters<Markdown['parse']>[1]>

/** How a text is read: `fold`: its line `<!--more-->` divides it. */
export type Reading = { readonly fold: boolean }

/** A block at the top of a text with the lines that it stands in. */
type Placed = { readonly node: Node; readonly from: number; readonly to: number }

const { nodes, marks } = schema
const FOLD = /^[ \t]*<!--[ \t]*more[ \t]*-->[ \t]*$/

const MARKS: Readonly<Record<string, (token: Token) => Mark>> = {
  em: () => marks.em.create(),
  strong: () => marks.strong.create(),
  s: () => marks.strike.create(),
  link: token => marks.link.create({ href: token.attrGet('href') ?? '', title: token.attrGet('title') ?? '' }),
}

const readImage = (token: Token, environment: Environment): Node =>
  nodes.image.create({
    src: token.attrGet('src') ?? '',
    alt: markdown.renderer.renderInlineAsText(token.children ?? [], markdown.options, environment),
    title: token.attrGet('title') ?? '',
  })

const readLeaf = (token: Token, environment: Environment): Node | undefined => {
  switch (token.type) {
    case 'text':
      return token.content === '' ? undefined : schema.text(token.content)
    case 'code_inline':
      return token.content === '' ? undefined : schema.text(token.content, [marks.code.create()])
    case 'softbreak':
      return nodes.soft_break.create()
    case 'hardbreak':
      return nodes.hard_break.create()
    case 'image':
      return readImage(token, environment)
    default:
      throw new Error(`unknown part of a line: ${token.type}`)
  }
}

const readLine = (tokens: readonly Token[], environment: Environment): Node[] => {
  const found: Node[] = []
  const open: Mark[] = []
  for (const token of tokens) {
    if (token.nesting === 1) open.push((MARKS[token.type.replace(/_open$/, '')] as (token: Token) => Mark)(token))
    else if (token.nesting === -1) open.pop()
    else {
      const leaf = readLeaf(token, environment)
      if (leaf !== undefined) found.push(leaf.mark(open.reduce((set, mark) => mark.addToSet(set), leaf.marks)))
    }
  }
  return found
}

// The text of a block of code ends with a line end, but for an empty one.
const readCode = ({ content, info }: Token): Node => {
  const text = content === '\n' ? content : content.replace(/\n$/, '')
  return nodes.code_block.create({ info: info.trim() }, text === '' ? [] : schema.text(text))
}

const alignment = (token: Token): string | null =>
  /^text-align:(left|center|right)$/.exec(String(token.attrGet('style') ?? ''))?.[1] ?? null

// An underlined heading may have several lines; that it looks different then is found before it is opened.
const onOneLine = (node: Node): Node => (isBreak(node) ? schema.text(' ', node.marks) : node)

type Opened = { readonly token: Token; readonly inside: Node[]; isTight: boolean }

const filled = (inside: readonly Node[]): readonly Node[] => (inside.length === 0 ? [nodes.paragraph.create()] : inside)

const close = ({ token, inside, isTight }: Opened): readonly Node[] => {
  switch (token.type) {
    case 'paragraph_open':
      return [nodes.paragraph.create(null, inside)]
    case 'heading_open':
      return [nodes.heading.create({ level: Number(token.tag.slice(1)) }, inside.map(onOneLine))]
    case 'blockquote_open':
      return [nodes.blockquote.create(null, filled(inside))]
    case 'bullet_list_open':
      return [nodes.bullet_list.create({ tight: isTight }, inside)]
    case 'ordered_list_open':
      return [nodes.ordered_list.create({ order: Number(token.attrGet('start') ?? 1), tight: isTight }, inside)]
    case 'list_item_open':
      return [nodes.list_item.create(null, filled(inside))]
    case 'table_open':
      return [nodes.table.create(null, inside)]
    case 'tr_open':
      return [nodes.table_row.create(null, inside)]
    case 'th_open':
      return [nodes.table_header.create({ align: alignment(token) }, inside)]
    case 'td_open':
      return [nodes.table_cell.create({ align: alignment(token) }, inside)]
    default:
      // thead and tbody have no node of their own.
      return inside
  }
}

const readBlock = (token: Token): Node => {
  if (token.type === 'hr') return nodes.horizontal_rule.create()
  if (token.type === 'fence' || token.type === 'code_block') return readCode(token)
  throw new Error(`unknown block: ${token.type}`)
}

// The paragraphs of a tight list are marked as hidden; they are in its items.
const noteParagraph = (stack: readonly Opened[], token: Token): void => {
  const around = stack.at(-2)
  if (token.type === 'paragraph_open' && !token.hidden && stack.at(-1)?.token.type === 'list_item_open' && around)
    around.isTight = false
}

/** The blocks of a text with the lines in which they stand. */
const placeBlocks = (text: string, environment: Environment): Placed[] => {
  const placed: Placed[] = []
  const stack: Opened[] = []
  const put = (done: readonly Node[], { map }: Token): void => {
    const around = stack.at(-1)
    if (around !== undefined) around.inside.push(...done)
    else for (const node of done) placed.push({ node, from: map?.[0] ?? 0, to: map?.[1] ?? 0 })
  }
  for (const token of markdown.parse(text, environment)) {
    if (token.nesting === 1) {
      noteParagraph(stack, token)
      stack.push({ token, inside: [], isTight: true })
    } else if (token.nesting === -1) {
      const opened = stack.pop() as Opened
      put(close(opened), opened.token)
    } else put(token.type === 'inline' ? readLine(token.children ?? [], environment) : [readBlock(token)], token)
  }
  return placed
}

const isBlank = (line: string | undefined): boolean => (line ?? '').trim() === ''

/** A text that was parsed: its blocks and the lines that they stand in, without gaps of other than empty lines. */
type Parsed = {
  readonly lines: readonly string[]
  readonly blocks: readonly Placed[]
  readonly environment: Environment
}

/** Parses a text. Lines that belong to no block and are not empty are definitions of links, and a block of their own. */
export const parseText = (text: string, { fold }: Reading, environment: Environment = {}): Parsed => {
  const lines = text.split('\n')
  const blocks: Placed[] = []
  let hasFold = !fold
  const addDefinitions = (from: number, to: number): void => {
    while (from < to && isBlank(lines[from])) from += 1
    while (to > from && isBlank(lines[to - 1])) to -= 1
    if (from === to) return
    blocks.push({ node: nodes.definitions.create({ source: lines.slice(from, to).join('\n') }), from, to })
  }
  for (const { node, from, to: end } of placeBlocks(text, environment)) {
    addDefinitions(blocks.at(-1)?.to ?? 0, from)
    let to = end
    while (to > from + 1 && node.type !== nodes.code_block && isBlank(lines[to - 1])) to -= 1
    const isFold: boolean = !hasFold && node.type === nodes.paragraph && to === from + 1 && FOLD.test(lines[from] ?? '')
    hasFold ||= isFold
    blocks.push({ node: isFold ? nodes.fold.create() : node, from, to })
  }
  addDefinitions(blocks.at(-1)?.to ?? 0, lines.length)
  return { lines, blocks, environment }
}

/** The document of a text that was parsed; one of nothing has an empty paragraph. */
export const buildDocument = ({ blocks }: Pick<Parsed, 'blocks'>): Node =>
  nodes.doc.create(null, filled(blocks.map(({ node }) => node)))
