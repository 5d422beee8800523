import type { BlockType } from '#src/areas/publishing/index.ts'
import type { BodyInput } from '#src/contract/body.ts'
import { readWhole } from '#src/kit/typed-numbers.ts'
import { type BlockField, blockForms, isBlockType } from './block-fields.ts'

/** Fields as an editor has them: what was typed, and several values where several can be chosen. */
export type Values = Readonly<Record<string, readonly string[]>>

/** A block in the editor. */
export type EditedBlock = { readonly type: BlockType; readonly values: Values; readonly items: readonly Values[] }

/** A field of a form; several may have one name. */
type Pair = readonly [string, string]

const inOrder = <Value>(parts: ReadonlyMap<number, Value>): Value[] =>
  [...parts].sort(([one], [other]) => one - other).map(([, value]) => value)

const add = (values: Record<string, string[]>, name: string, value: string): void => {
  values[name] = [...(values[name] ?? []), value]
}

const NAME = /^b\.(\d{1,3})\.(?:(\d{1,2})\.)?([a-z_]{1,20})$/

/** The blocks of a form whose fields are `b.<block>.<field>` and `b.<block>.<item>.<field>`. */
export const blocksIn = (form: readonly Pair[]): EditedBlock[] => {
  const blocks = new Map<number, { values: Record<string, string[]>; items: Map<number, Record<string, string[]>> }>()
  for (const [name, value] of form) {
    const [, block, item, field = ''] = NAME.exec(name) ?? []
    if (block === undefined) continue
    const one = blocks.get(Number(block)) ?? { values: {}, items: new Map<number, Record<string, string[]>>() }
    blocks.set(Number(block), one)
    if (item === undefined) {
      add(one.values, field, value)
      continue
    }
    const values = one.items.get(Number(item)) ?? {}
    one.items.set(Number(item), values)
    add(values, field, value)
  }
  return inOrder(blocks).flatMap(({ values: { type = [], ...values }, items }) => {
    const [kind = ''] = type
    return isBlockType(kind) ? [{ type: kind, values, items: inOrder(items).filter(isFilled) }] : []
  })
}

/** The fields of a block at a place, as `blocksIn` reads them. */
export const buildPairs = ({ values, items }: EditedBlock, index: number): Pair[] => {
  const pairs = (prefix: string, fields: Values): Pair[] =>
    Object.entries(fields).flatMap(([name, all]) => all.map((value): Pair => [`${prefix}.${name}`, value]))
  return [...pairs(`b.${index}`, values), ...items.flatMap((item, at) => pairs(`b.${index}.${at}`, item))]
}

const isFilled = (item: Values): boolean => Object.values(item).some(all => all.some(value => value.trim() !== ''))

const listEntries = (
  { name, kind, isNullable = false }: BlockField,
  values: Values,
): readonly (readonly [string, unknown])[] => {
  const all = values[name] ?? []
  const isWithout = kind === 'image' && values[`${name}_without`]?.[0] === 'yes'
  const first = isWithout ? '' : (all[0] ?? '')
  if (kind === 'many') return [[name, all.length === 0 ? null : all]]
  if (kind === 'number') return first.trim() === '' ? [] : [[name, readWhole(first) ?? first]]
  const text = kind === 'line' || kind === 'link' || kind === 'one' ? first.trim() : first.replaceAll('\r\n', '\n')
  if (text === '' && isNullable) return [[name, null]]
  if (text === '' && (kind === 'select' || kind === 'one' || kind === 'image')) return []
  return [[name, text]]
}

const buildObject = (fields: readonly BlockField[], values: Values): Record<string, unknown> =>
  Object.fromEntries(fields.flatMap(field => listEntries(field, values)))

/** Blocks as the API takes them; what is missing or wrong the API says. */
export const bodyOfBlocks = (blocks: readonly EditedBlock[]): unknown[] =>
  blocks.map(({ type, values, items }) => {
    const { fields, items: list } = blockForms[type]
    return {
      type,
      ...buildObject(fields, values),
      ...(list === undefined ? {} : { [list.key]: items.map(item => buildObject(list.fields, item)) }),
    }
  })

/** The texts of blocks that are rendered, as they were typed or are stored. */
export const typedTexts = (blocks: readonly EditedBlock[]): BodyInput[] =>
  blocks.flatMap(({ type, values, items }): BodyInput[] => {
    if (type === 'html') return (values.html ?? []).map(body => ({ body, body_format: 'html' }))
    return [values, ...items].flatMap(({ body = [], answer = [] }) =>
      [...body, ...answer].map(text => ({ body: text })),
    )
  })

const listTexts = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.map(String)
  return value === null || value === undefined ? [] : [String(value)]
}

const valuesFrom = (fields: readonly BlockField[], stored: Readonly<Record<string, unknown>>): Values =>
  Object.fromEntries(fields.map(({ name }) => [name, listTexts(stored[name])]))

/** A block of the API as the editor has it. */
export const buildEdited = (stored: { readonly type: BlockType }): EditedBlock => {
  const { fields, items: list } = blockForms[stored.type]
  const all: Readonly<Record<string, unknown>> = { ...stored }
  const items = list === undefined ? [] : ((all[list.key] ?? []) as readonly Readonly<Record<string, unknown>>[])
  return {
    type: stored.type,
    values: valuesFrom(fields, all),
    items: list === undefined ? [] : items.map(item => valuesFrom(list.fields, item)),
  }
}

/** The blocks after a button of the editor, and the place of the one that the button was about. */
type Rearranged = { readonly blocks: readonly EditedBlock[]; readonly at: number | undefined }

/** What `add`, or `up.3`, `down.3` and `remove.3`, make of the blocks; `again` leaves them. Undefined for any other button. */
export const rearranged = (blocks: readonly EditedBlock[], act: string, added: string): Rearranged | undefined => {
  if (act === 'add') {
    if (!isBlockType(added)) return { blocks, at: undefined }
    return { blocks: [...blocks, { type: added, values: {}, items: [] }], at: blocks.length }
  }
  if (act === 'again') return { blocks, at: undefined }
  const [, how, text] = /^(up|down|remove)\.(\d{1,3})$/.exec(act) ?? []
  if (how === undefined) return undefined
  const index = Number(text)
  const block = blocks[index]
  if (block === undefined) return { blocks, at: undefined }
  const others = blocks.filter((_, at) => at !== index)
  if (how === 'remove') return { blocks: others, at: others.length === 0 ? undefined : Math.max(0, index - 1) }
  const at = Math.min(others.length, Math.max(0, index + (how === 'up' ? -1 : 1)))
  return { blocks: [...others.slice(0, at), block, ...others.slice(at)], at }
}
