import type { Static } from 'typebox'
import type { LibraryFile } from '#src/areas/files/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Phrase } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import type { StaffContext } from '../../audience.ts'

/** A file of the library. */
export type FileShown = Encoded<Static<typeof LibraryFile>>

type Use = FileShown['used_by'][number]

const { words } = texts
const { uses: text } = texts.staff.files

const names: Readonly<Record<string, Phrase>> = {
  appearance: text.appearance,
  certificate: words.certificate,
  certificate_template: text.template,
  course: words.course,
  deployment: text.deployment,
  digital_product: words.product,
  event: words.event,
  lecturer: text.lecturer,
  lesson: words.lesson,
  membership_plan: text.plan,
  page: words.page,
  post: words.post,
  submission: text.submission,
}

const places: Readonly<Record<string, string>> = {
  certificate_template: '/staff/certificates',
  course: '/staff/courses',
  digital_product: '/staff/products',
  event: '/staff/events',
  lecturer: '/staff/lecturers',
  membership_plan: '/staff/plans',
  page: '/staff/pages',
  post: '/staff/posts',
  submission: '/staff/grading/works',
}

// What was issued or unpacked has no page in the console.
const buildAddress = ({ kind, id, within }: Use): string | undefined => {
  if (kind === 'appearance') return '/staff/appearance#images'
  if (kind === 'lesson') return `/staff/courses/${within}/lessons/${id}`
  const place = places[kind]
  return place && `${place}/${id}`
}

/** What uses a file, as a link to where it does. */
export const renderUse = (use: Use, { t }: StaffContext): Html => {
  const kind = names[use.kind]
  const name = use.name ?? (kind === undefined ? use.kind : t(kind))
  const address = buildAddress(use)
  return html`${address === undefined ? name : html`<a href="${address}"><bdi>${name}</bdi></a>`}${use.name !== null && kind !== undefined && html` <span class="quiet">${t(kind)}</span>`}`
}

const readEnding = (name: string): string => /\.(\w{1,4})$/.exec(name)?.[1]?.toUpperCase() ?? ''

/** A small picture of a file, or its ending. */
export const renderThumbnail = ({ image, url, alt, name }: FileShown): Html =>
  image === null
    ? html`<span class="thumb" aria-hidden="true">${readEnding(name)}</span>`
    : html`<img class="thumb" src="${url}${url.includes('?') ? '&' : '?'}width=320" alt="${alt}" loading="lazy" width="40" height="40">`
