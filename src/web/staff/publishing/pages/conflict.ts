import { fill } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField } from '#src/kit/form.ts'
import type { Html } from '#src/kit/html.ts'
import { renderConflict, TAKE_THEIRS } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { type BlockField, blockForms } from './block-fields.ts'
import type { Options } from './block-html.ts'
import type { EditedBlock, Values } from './blocks.rules.ts'
import type { Edited } from './page-form.ts'
import { editorText as text } from './text.ts'

const SETTINGS = ['title', 'path', 'visibility', 'nav_label', 'redirects', 'seo_title', 'seo_description'] as const

// As people read it: the names of choices, of files and of what is chosen.
const listValues = (fields: readonly BlockField[], values: Values, options: Options): string[] =>
  fields.flatMap(({ name, choices = {}, from }) =>
    (values[name] ?? []).map(value => {
      const choice = choices[value]
      if (choice !== undefined) return fill(choice, options.language)
      const named = from === undefined ? undefined : options.lists[from].find(one => one.value === value)?.label
      return named ?? options.files.get(value)?.name ?? value.replaceAll('\r\n', '\n').trim()
    }),
  )

// All blocks as one text, so that one that was added or moved is one difference.
const writeBlocks = (blocks: readonly EditedBlock[], options: Options): string =>
  blocks
    .map(({ type, values, items }) => {
      const { name, fields, items: list } = blockForms[type]
      const ofItems = items.flatMap(item => listValues(list?.fields ?? [], item, options))
      const lines = [...listValues(fields, values, options), ...ofItems].filter(line => line !== '')
      return [fill(name, options.language), ...lines].join('\n')
    })
    .join('\n\n')

const readSetting = ({ form }: Edited, name: (typeof SETTINGS)[number], { t }: StaffContext): string => {
  const value = formField(form, name).replaceAll('\r\n', '\n').trim()
  const shown = Object.entries(text.visibilities).find(([one]) => name === 'visibility' && one === value)?.[1]
  return shown === undefined ? value : t(shown)
}

type Compared = {
  readonly stored: Edited
  readonly typed: Edited
  readonly isTaken: boolean
  readonly refusal: Refusal | undefined
  readonly options: Options
}

/** What was typed into a page beside what somebody else has stored of it. */
export const conflictPart = (
  context: StaffContext,
  { stored, typed, isTaken, refusal, options }: Compared,
): Html | false => {
  const rows = [
    ...SETTINGS.map(name => ({
      label: context.t(text.fields[name]),
      mine: readSetting(typed, name, context),
      theirs: readSetting(stored, name, context),
    })),
    {
      label: context.t(text.blocks),
      mine: writeBlocks(typed.blocks, options),
      theirs: writeBlocks(stored.blocks, options),
    },
  ]
  return renderConflict(context, {
    act: isTaken ? TAKE_THEIRS : 'save',
    typed: typed.form,
    stored: stored.form,
    refusal,
    fields: { names: SETTINGS, differences: () => rows.filter(({ mine, theirs }) => mine !== theirs) },
    within: 'page',
  })
}
