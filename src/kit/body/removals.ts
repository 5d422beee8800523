import type { Attributes, IOptions, Transformer } from 'sanitize-html'
import { NOT_TEXT } from './elements.ts'

// Elements around texts; all that is in them stays.
const AROUND = new Set(
  'html head body title meta link main header footer article section aside nav div span font center picture'.split(' '),
)

const VOID = new Set(['embed', 'source', 'track', 'input', 'link', 'meta', 'base', 'area', 'wbr', 'param', 'frame'])

/** What was removed, and how often. */
export type Removals = ReadonlyMap<string, number>

type Counting = Pick<IOptions, 'onOpenTag' | 'onCloseTag' | 'transformTags'> & { readonly removed: Removals }

// Elements with an address, and what is removed with an address that a profile does not allow: of a link its address.
const ADDRESSED = { a: ['href', 'href'], img: ['src', 'img'] } as const

const listAttributes = (name: string, attribs: Readonly<Record<string, string>>): string[] =>
  Object.keys(attribs).filter(
    attribute => /^on[a-z]/.test(attribute) || (attribute === 'style' && name !== 'td' && name !== 'th'),
  )

/** Handlers that count what an author wrote and a profile does not allow; what is within that counts with it. */
export const countRemovals = ({ allowedTags, transformTags = {} }: IOptions): Counting => {
  const allowed = new Set(allowedTags === false ? [] : allowedTags)
  const removed = new Map<string, number>()
  const open: string[] = []
  const add = (name: string): void => {
    removed.set(name, (removed.get(name) ?? 0) + 1)
  }
  const isWithin = (): boolean => open.length > 0
  const counting = (tag: keyof typeof ADDRESSED): Record<string, Transformer> => {
    const transform = transformTags[tag]
    const [attribute, name] = ADDRESSED[tag]
    if (typeof transform !== 'function') return {}
    const count = (tagName: string, attribs: Attributes) => {
      const shown = transform(tagName, attribs)
      if (attribs[attribute] !== undefined && shown.attribs[attribute] === undefined && !isWithin()) add(name)
      return shown
    }
    return { [tag]: count }
  }
  return {
    removed,
    transformTags: { ...transformTags, ...counting('a'), ...counting('img') },
    onOpenTag: (name, attribs) => {
      if (!isWithin()) {
        if (!allowed.has(name) && !AROUND.has(name)) add(name)
        for (const attribute of listAttributes(name, attribs)) add(attribute)
      }
      const hidesContent = NOT_TEXT.includes(name) || ['video', 'audio'].includes(name)
      if (isWithin() ? !VOID.has(name) : hidesContent && !VOID.has(name) && name !== 'head' && name !== 'title')
        open.push(name)
    },
    onCloseTag: name => {
      const at = open.lastIndexOf(name)
      if (at >= 0) open.length = at
    },
  }
}
