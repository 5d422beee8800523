import { type DOMOutputSpec, type MarkSpec, type Node, type NodeSpec, Schema } from 'prosemirror-model'

// What is read of an element; the model is used without a document too.
type Read = {
  readonly dataset: Readonly<Record<string, string | undefined>>
  getAttribute(name: string): string | null
  querySelector(selector: string): unknown
}

const read =
  (...names: string[]) =>
  (element: Read) =>
    Object.fromEntries(names.map(name => [name, element.getAttribute(name) ?? '']))

const list = (tag: 'ol' | 'ul') => (element: Read) => ({
  order: tag === 'ol' ? Number.parseInt(element.getAttribute('start') ?? '1', 10) || 1 : 1,
  // What Word and web pages write has paragraphs in the items of loose lists alone.
  tight: element.querySelector(':scope > li > p') === null,
})

const cellAttributes = (element: Read) => {
  const { align } = element.dataset
  return { align: align === 'left' || align === 'center' || align === 'right' ? align : null }
}

const cell = (role: 'cell' | 'header_cell', tag: 'td' | 'th'): NodeSpec => ({
  content: 'line*',
  attrs: { colspan: { default: 1 }, rowspan: { default: 1 }, colwidth: { default: null }, align: { default: null } },
  tableRole: role,
  isolating: true,
  parseDOM: [{ tag, getAttrs: cellAttributes }],
  toDOM: ({ attrs }): DOMOutputSpec => [
    tag,
    attrs.align === null ? {} : { 'data-align': attrs.align, class: `align-${attrs.align}` },
    0,
  ],
})

const nodes = {
  doc: { content: '(block | top)+' },
  paragraph: { content: 'inline*', group: 'block', parseDOM: [{ tag: 'p' }], toDOM: () => ['p', 0] },
  heading: {
    attrs: { level: { default: 2 } },
    // On one line, since that is how it is written.
    content: 'line*',
    group: 'block',
    defining: true,
    parseDOM: [1, 2, 3, 4, 5, 6].map(level => ({ tag: `h${level}`, attrs: { level } })),
    toDOM: ({ attrs }) => [`h${attrs.level}`, 0],
  },
  blockquote: {
    content: 'block+',
    group: 'block',
    defining: true,
    parseDOM: [{ tag: 'blockquote' }],
    toDOM: () => ['blockquote', 0],
  },
  code_block: {
    attrs: { info: { default: '' } },
    content: 'text*',
    marks: '',
    group: 'block',
    code: true,
    defining: true,
    parseDOM: [{ tag: 'pre', preserveWhitespace: 'full', getAttrs: element => ({ info: element.dataset.info ?? '' }) }],
    toDOM: ({ attrs }) => ['pre', attrs.info === '' ? {} : { 'data-info': attrs.info }, ['code', { dir: 'ltr' }, 0]],
  },
  horizontal_rule: { group: 'block', parseDOM: [{ tag: 'hr' }], toDOM: () => ['hr'] },
  bullet_list: {
    attrs: { tight: { default: true } },
    content: 'list_item+',
    group: 'block list',
    parseDOM: [{ tag: 'ul', getAttrs: list('ul') }],
    toDOM: ({ attrs }) => ['ul', attrs.tight ? { class: 'tight' } : {}, 0],
  },
  ordered_list: {
    attrs: { order: { default: 1 }, tight: { default: true } },
    content: 'list_item+',
    group: 'block list',
    parseDOM: [{ tag: 'ol', getAttrs: list('ol') }],
    toDOM: ({ attrs }) => [
      'ol',
      { ...(attrs.order === 1 ? {} : { start: attrs.order }), ...(attrs.tight ? { class: 'tight' } : {}) },
      0,
    ],
  },
  list_item: { content: 'block+', defining: true, parseDOM: [{ tag: 'li' }], toDOM: () => ['li', 0] },
  table: {
    content: 'table_row+',
    group: 'block',
    tableRole: 'table',
    isolating: true,
    parseDOM: [{ tag: 'table' }],
    toDOM: () => ['table', ['tbody', 0]],
  },
  table_row: {
    content: '(table_cell | table_header)+',
    tableRole: 'row',
    parseDOM: [{ tag: 'tr' }],
    toDOM: () => ['tr', 0],
  },
  table_cell: cell('cell', 'td'),
  table_header: cell('header_cell', 'th'),
  // The line that divides a post; only at the top, where it is read.
  fold: { group: 'top', parseDOM: [{ tag: 'div[data-fold]' }], toDOM: () => ['div', { 'data-fold': '' }] },
  // Definitions of links, which have no place in the rendered text.
  definitions: {
    attrs: { source: {} },
    group: 'top',
    toDOM: ({ attrs }) => ['div', { 'data-definitions': '' }, attrs.source],
  },
  text: { group: 'inline line' },
  image: {
    attrs: { src: {}, alt: { default: '' }, title: { default: '' } },
    inline: true,
    group: 'inline line',
    draggable: true,
    // Without an address: it changes, and what is written down is the id of the file.
    parseDOM: [
      {
        tag: 'img[data-source]',
        getAttrs: element => ({ ...read('alt', 'title')(element), src: element.dataset.source ?? '' }),
      },
    ],
    toDOM: ({ attrs: { src, alt, title } }) => ['img', { alt, 'data-source': src, ...(title === '' ? {} : { title }) }],
  },
  hard_break: {
    inline: true,
    group: 'inline',
    selectable: false,
    parseDOM: [{ tag: 'br' }],
    toDOM: () => ['br'],
    leafText: () => '\n',
  },
  // A line end in the source, which readers see as a space.
  soft_break: {
    inline: true,
    group: 'inline',
    selectable: false,
    parseDOM: [{ tag: 'span[data-line-end]' }],
    toDOM: () => ['span', { 'data-line-end': '' }, ' '],
    leafText: () => ' ',
  },
} satisfies Record<string, NodeSpec>

// The order is that of nesting: what comes first is outside.
const marks = {
  link: {
    attrs: { href: {}, title: { default: '' } },
    inclusive: false,
    parseDOM: [{ tag: 'a[href]', getAttrs: read('href', 'title') }],
    toDOM: ({ attrs: { href, title } }) => ['a', { href, ...(title === '' ? {} : { title }) }, 0],
  },
  em: {
    parseDOM: [{ tag: 'em' }, { tag: 'i' }],
    toDOM: () => ['em', 0],
  },
  strong: {
    parseDOM: [{ tag: 'strong' }, { tag: 'b' }],
    toDOM: () => ['strong', 0],
  },
  strike: {
    parseDOM: [{ tag: 's' }, { tag: 'del' }, { tag: 'strike' }],
    toDOM: () => ['s', 0],
  },
  code: { code: true, parseDOM: [{ tag: 'code' }], toDOM: () => ['code', { dir: 'ltr' }, 0] },
} satisfies Record<string, MarkSpec>

/** The model of a text in the editor: what `renderBody` makes of Markdown, and nothing else. */
export const schema = new Schema<keyof typeof nodes, keyof typeof marks>({ nodes, marks })

/** Whether a node is a list. */
export const isList = (node: Node | null | undefined): boolean =>
  node?.type === schema.nodes.bullet_list || node?.type === schema.nodes.ordered_list

/** Whether a node is a line end, written as one or as a line break. */
export const isBreak = (node: Node | undefined): boolean =>
  node?.type === schema.nodes.hard_break || node?.type === schema.nodes.soft_break
