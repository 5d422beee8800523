import type { Static } from 'typebox'
import type { SitePage } from '#src/areas/pages/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Pairs } from '#src/kit/form.ts'
import { formField } from '#src/kit/form.ts'
import { bodyOfBlocks, type EditedBlock, editedOf } from './blocks.rules.ts'

/** A page as the API returns it to staff. */
export type Content = Encoded<Static<typeof SitePage>>

/** The fields of a page in the editor, besides its blocks. */
export type PageFields = {
  readonly title: string
  readonly path: string
  readonly visibility: string
  readonly nav_label: string
  readonly redirects: string
  readonly seo_title: string
  readonly seo_description: string
  readonly at: string
}

/** What the form of a page has. */
export type Edited = { readonly fields: PageFields; readonly blocks: readonly EditedBlock[] }

/** The form of a stored page. */
export const editedPage = (page: Content): Edited => ({
  fields: {
    title: page.title,
    path: page.path,
    visibility: page.visibility,
    nav_label: page.nav_label ?? '',
    redirects: (page.redirects ?? []).join('\n'),
    seo_title: page.seo.title ?? '',
    seo_description: page.seo.description ?? '',
    at: page.publish_at?.slice(0, 16) ?? '',
  },
  blocks: page.blocks.map(editedOf),
})

/** The fields of a form that was sent. */
export const fieldsIn = (form: Pairs): PageFields => ({
  title: formField(form, 'title'),
  path: formField(form, 'path').trim(),
  visibility: formField(form, 'visibility'),
  nav_label: formField(form, 'nav_label').trim(),
  redirects: formField(form, 'redirects'),
  seo_title: formField(form, 'seo_title').trim(),
  seo_description: formField(form, 'seo_description').trim(),
  at: formField(form, 'at'),
})

const orNull = (text: string): string | null => (text === '' ? null : text)

const linesOf = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map(line => line.trim())
      .filter(line => line !== ''),
  ),
]

/** A form as a change of a page. */
export const changesOf = ({ fields, blocks }: Edited, page: Content): object => ({
  title: fields.title.trim(),
  path: fields.path,
  visibility: fields.visibility,
  nav_label: orNull(fields.nav_label),
  seo: { title: orNull(fields.seo_title), description: orNull(fields.seo_description) },
  ...(page.kind === 'content' ? { blocks: bodyOfBlocks(blocks) } : {}),
  // Left out where it stayed, so that the old path is added to it when the path changes.
  ...(linesOf(fields.redirects).toSorted().join('\n') === (page.redirects ?? []).join('\n')
    ? {}
    : { redirects: linesOf(fields.redirects) }),
})

/** The instant of a schedule, or undefined where it is none. */
export const instantIn = (at: string): string | undefined =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(at) ? `${at}:00.000Z` : undefined
