import type { Static } from 'typebox'
import {
  type AppearanceDraft,
  colorNames,
  type FileField,
  type NewAppearance,
  schemes,
  socialNames,
} from '#src/areas/files/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { localAt, resolveTime } from '#src/kit/local-time.ts'
import { findPair, readFonts } from './fonts.ts'

/** The draft, as the operation returns it. */
export type Draft = Encoded<Static<typeof AppearanceDraft>>
type Body = Encoded<Static<typeof NewAppearance>>
type Link = Body['footer']['links'][number]

/** What the fields of the form have, by name. */
export type Values = Readonly<Record<string, string>>

const formatLine = ({ label, href, page_id }: Link): string => `${label} | ${href ?? page_id ?? ''}`

const formatMinute = (instant: string | null | undefined, zone: string): string =>
  instant == null ? '' : localAt(new Date(instant), zone)

/** The values of the form for a draft; times are those of a zone. */
export const buildValues = (draft: Draft, zone: string): Values => ({
  revision: String(draft.revision),
  ...Object.fromEntries(
    schemes.flatMap(scheme => colorNames.map(name => [`${scheme}_${name}`, draft.colors[scheme][name]])),
  ),
  pair: findPair(draft.fonts),
  heading: draft.fonts.heading ?? '',
  body: draft.fonts.body ?? '',
  radius: draft.radius,
  width: draft.width,
  navigation: (draft.navigation ?? [])
    .flatMap(link => [formatLine(link), ...link.children.map(child => `- ${formatLine(child)}`)])
    .join('\n'),
  footer: draft.footer.text ?? '',
  links: draft.footer.links.map(formatLine).join('\n'),
  social: draft.footer.social.map(({ service, href }) => `${socialNames[service]} | ${href}`).join('\n'),
  announcement: draft.announcement?.text ?? '',
  announcement_href: draft.announcement?.href ?? '',
  from: formatMinute(draft.announcement?.from, zone),
  until: formatMinute(draft.announcement?.until, zone),
  sign_in: draft.sign_in.text ?? '',
  email: draft.email.footer ?? '',
  css: draft.custom_css,
})

/** The values of a form that was sent. */
export const valuesIn = (form: Pairs): Values =>
  Object.fromEntries(form.map(([name, value]) => [name, value.replaceAll('\r\n', '\n')]))

const linesIn = (text: string): string[] =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')

// A line is a text, a bar and an address, which has no bar; what it lacks is refused by the operation.
const linkIn = (line: string): Link => {
  const bar = line.lastIndexOf('|')
  const [label, href] = bar < 0 ? [line.trim(), ''] : [line.slice(0, bar).trim(), line.slice(bar + 1).trim()]
  return /^pag_/.test(href) ? { label, href: null, page_id: href } : { label, href, page_id: null }
}

const navigationIn = (text: string): Body['navigation'] => {
  const links: { label: string; href: string | null; page_id: string | null; children: Link[] }[] = []
  for (const line of linesIn(text)) {
    const parent = links.at(-1)
    if (line.startsWith('-') && parent !== undefined) parent.children.push(linkIn(line.slice(1)))
    else links.push({ ...linkIn(line), children: [] })
  }
  return links.length === 0 ? null : links
}

const socialIn = (text: string): unknown[] =>
  linesIn(text).map(line => {
    const { label, href } = linkIn(line)
    const known = Object.entries(socialNames).find(([, name]) => name.toLowerCase() === label.toLowerCase())?.[0]
    return { service: known ?? label, href }
  })

// A time that was not changed keeps its seconds; the operation refuses what is no time.
const instantIn = (text: string | undefined, before: string | null | undefined, zone: string): string | null => {
  if (text === undefined || text === '') return null
  if (before != null && text === formatMinute(before, zone)) return before
  return resolveTime({ local: text, time_zone: zone })?.at.toISOString() ?? text
}

const textIn = (text: string | undefined): string | null => (text === undefined || text.trim() === '' ? null : text)

const announcementIn = (
  { announcement = '', announcement_href, from, until }: Values,
  before: Draft['announcement'],
  zone: string,
): unknown =>
  announcement.trim() === ''
    ? null
    : {
        text: announcement.trim(),
        href: textIn(announcement_href),
        from: instantIn(from, before?.from, zone),
        until: instantIn(until, before?.until, zone),
      }

const listFiles = (draft: Draft) => ({
  logo_file_id: draft.logo_file_id,
  logo_dark_file_id: draft.logo_dark_file_id,
  favicon_file_id: draft.favicon_file_id,
  social_image_file_id: draft.social_image_file_id,
})

/** The body of the write for these values, with times in a zone; the files are those of the draft. */
export const buildBody = (values: Values, draft: Draft, zone: string): unknown => ({
  ...listFiles(draft),
  colors: Object.fromEntries(
    schemes.map(scheme => [
      scheme,
      Object.fromEntries(colorNames.map(name => [name, values[`${scheme}_${name}`]?.toLowerCase() ?? ''])),
    ]),
  ),
  fonts: readFonts(values),
  radius: values.radius ?? '',
  width: values.width ?? '',
  navigation: navigationIn(values.navigation ?? ''),
  footer: {
    text: textIn(values.footer),
    links: linesIn(values.links ?? '').map(linkIn),
    social: socialIn(values.social ?? ''),
  },
  announcement: announcementIn(values, draft.announcement, zone),
  email: { header_image_file_id: draft.email.header_image_file_id, footer: textIn(values.email) },
  sign_in: { image_file_id: draft.sign_in.image_file_id, text: textIn(values.sign_in) },
  custom_css: values.css ?? '',
})

/** The image of a field of the draft. */
export const getImage = (draft: Draft, field: FileField): Draft['logo'] => {
  if (field === 'email_header') return draft.email.header_image
  if (field === 'sign_in_image') return draft.sign_in.image
  return draft[field]
}

/** The body that sets the image of a field, or removes it. */
export const bodyWithImage = (draft: Draft, field: FileField, fileId: string | null): unknown => {
  const body = buildBody(buildValues(draft, 'UTC'), draft, 'UTC')
  const part = (name: FileField, before: string | null): string | null => (name === field ? fileId : before)
  return {
    ...(typeof body === 'object' ? body : {}),
    logo_file_id: part('logo', draft.logo_file_id),
    logo_dark_file_id: part('logo_dark', draft.logo_dark_file_id),
    favicon_file_id: part('favicon', draft.favicon_file_id),
    social_image_file_id: part('social_image', draft.social_image_file_id),
    announcement: draft.announcement,
    email: { header_image_file_id: part('email_header', draft.email.header_image_file_id), footer: draft.email.footer },
    sign_in: { image_file_id: part('sign_in_image', draft.sign_in.image_file_id), text: draft.sign_in.text },
  }
}

/** The values of a draft with suggested colors of a scheme: `accent=#767676`, one for each. */
export const withSuggestion = (draft: Draft, form: Pairs, zone: string): Values => {
  const scheme = formField(form, 'scheme')
  const changes = form.filter(([name]) => colorNames.some(color => color === name))
  return {
    ...buildValues(draft, zone),
    ...Object.fromEntries(changes.map(([name, color]) => [`${scheme}_${name}`, color])),
  }
}
