import { isDeepStrictEqual } from 'node:util'
import { defaultStyle } from '#src/contract/look.ts'
import type { FieldError } from '#src/contract/problem.ts'
import type { Warning } from '#src/contract/warning.ts'
import type { FileField, Settings } from './schema.ts'

/** The settings of a school that has changed none. */
export const defaults: Settings = {
  logo_file_id: null,
  logo_dark_file_id: null,
  favicon_file_id: null,
  social_image_file_id: null,
  colors: {
    light: { ...defaultStyle.colors.light, warn: '#fdf1dc', warn_ink: '#5b3b00' },
    dark: { ...defaultStyle.colors.dark, warn: '#3a2c12', warn_ink: '#f5dcae' },
  },
  fonts: { heading: null, body: null },
  radius: defaultStyle.radius,
  width: 'normal',
  navigation: null,
  footer: { text: null, links: [], social: [] },
  announcement: null,
  email: { header_image_file_id: null, footer: null },
  sign_in: { image_file_id: null, text: null },
  custom_css: '',
}

const SHARP = ['image/png', 'image/webp']
const PICTURES = [...SHARP, 'image/jpeg']

// Where a body names the file of a field, and the media types that it accepts; never SVG, which may contain scripts.
const files = {
  logo: { pointer: '/logo_file_id', types: SHARP },
  logo_dark: { pointer: '/logo_dark_file_id', types: SHARP },
  favicon: { pointer: '/favicon_file_id', types: SHARP },
  social_image: { pointer: '/social_image_file_id', types: PICTURES },
  email_header: { pointer: '/email/header_image_file_id', types: PICTURES },
  sign_in_image: { pointer: '/sign_in/image_file_id', types: PICTURES },
} satisfies Readonly<Record<FileField, { pointer: string; types: readonly string[] }>>

/** Where a body names the file of a field. */
export const getPointer = (field: FileField): string => files[field].pointer

/** The media types that a field accepts. */
export const listTypes = (field: FileField): readonly string[] => files[field].types

/** The file of each field, by the ids of their rows. */
export const listFiles = (settings: Settings): Readonly<Record<FileField, string | null>> => ({
  logo: settings.logo_file_id,
  logo_dark: settings.logo_dark_file_id,
  favicon: settings.favicon_file_id,
  social_image: settings.social_image_file_id,
  email_header: settings.email.header_image_file_id,
  sign_in_image: settings.sign_in.image_file_id,
})

/** The ids of all files of an appearance, each once. */
export const listFileIds = (settings: Settings): string[] => [
  ...new Set(Object.values(listFiles(settings)).filter(id => id !== null)),
]

/** The same settings without the files of some fields. */
export const withoutFiles = (settings: Settings, fields: readonly FileField[]): Settings => {
  const kept = (field: FileField): string | null => (fields.includes(field) ? null : listFiles(settings)[field])
  return {
    ...settings,
    logo_file_id: kept('logo'),
    logo_dark_file_id: kept('logo_dark'),
    favicon_file_id: kept('favicon'),
    social_image_file_id: kept('social_image'),
    email: { ...settings.email, header_image_file_id: kept('email_header') },
    sign_in: { ...settings.sign_in, image_file_id: kept('sign_in_image') },
  }
}

/** The names of the settings that differ, at the top level. */
export const changedSettings = (before: Settings, after: Settings): string[] =>
  (Object.keys(defaults) as (keyof Settings)[]).filter(name => !isDeepStrictEqual(before[name], after[name]))

type Linked = { readonly href: string | null; readonly page_id: string | null }

const errorsOfLink = ({ href, page_id: pageId }: Linked, pointer: string): FieldError[] =>
  (href === null) === (pageId === null)
    ? [{ pointer, code: 'target', message: 'must have either href or page_id, and not both' }]
    : []

/** Links of the settings with their pointers. */
export const listLinks = ({ navigation, footer }: Settings): { readonly link: Linked; readonly pointer: string }[] => [
  ...(navigation ?? []).flatMap((link, at) => [
    { link, pointer: `/navigation/${at}` },
    ...link.children.map((child, below) => ({ link: child, pointer: `/navigation/${at}/children/${below}` })),
  ]),
  ...footer.links.map((link, at) => ({ link, pointer: `/footer/links/${at}` })),
]

const errorsOfAnnouncement = ({ announcement }: Settings): FieldError[] => {
  const { from = null, until = null } = announcement ?? {}
  return from !== null && until !== null && until <= from
    ? [{ pointer: '/announcement/until', code: 'order', message: 'must be after from' }]
    : []
}

/** The errors of settings that their schema cannot say. */
export const errorsOfSettings = (settings: Settings): FieldError[] => [
  ...listLinks(settings).flatMap(({ link, pointer }) => errorsOfLink(link, pointer)),
  ...errorsOfAnnouncement(settings),
]

/** What staff should know of an appearance whose files were deleted. */
export const listWarnings = (missing: readonly string[]): Warning[] =>
  missing.length === 0
    ? []
    : [
        {
          code: 'file_missing',
          message: `The restored version referred to files that were deleted: ${missing.join(', ')}. It is shown without them.`,
          ids: [],
        },
      ]
