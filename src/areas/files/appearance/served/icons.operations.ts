import { bytesOfFile } from '#src/areas/files/storage/index.ts'
import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import type { Printer } from '#src/contract/print.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import type { Files } from '#src/contract/store.ts'
import { cacheable } from '#src/kit/cacheable.ts'
import { computeInitials } from '#src/kit/mark.ts'
import { defaults } from '../settings/rules.ts'
import type { Settings } from '../settings/schema.ts'
import { findPublished } from '../versions/queries.ts'

type IconParts = { readonly files: Files; readonly printer: Printer }

const SECONDS = 3600
const MAX_IMAGE_BYTES = 20_000_000
const MOST_KEPT = 100

type IconName = '192' | '512' | 'maskable' | 'touch'

/**
 * The icons of an installed school. Systems cut a maskable one to their shape, of which the circle of 80 % of its edge is always
 * left (https://w3c.github.io/manifest/#icon-masks), and put nothing behind a `touch` icon.
 */
const icons: Readonly<Record<IconName, { edge: number; share: number; isFilled?: true }>> = {
  '192': { edge: 192, share: 1 },
  '512': { edge: 512, share: 1 },
  maskable: { edge: 512, share: 0.56, isFilled: true },
  touch: { edge: 180, share: 0.8, isFilled: true },
}

const isIconName = (name: string): name is IconName => Object.hasOwn(icons, name)

// The mark is drawn to the edge, and its letters are within every shape.
const MARK_SHARE = 0.5

type Published = { readonly number: number; readonly settings: Settings }

const readPublished = async ({ database, school }: EndpointRequest): Promise<Published> =>
  (await database.statements(school.id, db => findPublished(db, school.id))) ?? { number: 0, settings: defaults }

const manifestFor = ({ name, locale }: School, { page }: Settings['colors']['light']) => ({
  id: '/',
  name,
  lang: locale,
  dir: 'auto',
  start_url: '/',
  scope: '/',
  display: 'standalone',
  // Pages lead back by the button of the browser.
  display_override: ['minimal-ui'],
  background_color: page,
  theme_color: page,
  icons: (['192', '512', 'maskable'] as const).map(icon => ({
    src: `/appearance/icons/${icon}.png`,
    sizes: `${icons[icon].edge}x${icons[icon].edge}`,
    type: 'image/png',
    purpose: icon === 'maskable' ? 'maskable' : 'any',
  })),
})

const showManifest = async (request: EndpointRequest): Promise<Reply> => {
  const { settings } = await readPublished(request)
  const body = JSON.stringify(manifestFor(request.school, settings.colors.light))
  return cacheable(request.header('if-none-match'), 'application/manifest+json', body, SECONDS)
}

// A logo with the name of the school in it is too wide for a square.
const chooseFile = ({ favicon_file_id: favicon, logo_file_id: logo }: Settings, { look }: School): string | null =>
  favicon ?? (look?.isWordmark === true ? null : logo)

const drawMark = async ({ school }: EndpointRequest, parts: IconParts, edge: number, settings: Settings) => {
  const { accent: background, on_accent: color } = settings.colors.light
  const letters = computeInitials(school.name)
  const fontFile = letters === '' ? undefined : await parts.printer.findFont(letters, school.locale)
  const content = fontFile === undefined ? undefined : { letters, color, fontFile }
  return parts.files.media.drawIcon(content, { edge, share: MARK_SHARE, background })
}

const draw = async (request: EndpointRequest, parts: IconParts, name: IconName, settings: Settings) => {
  const { school, database } = request
  const { files } = parts
  const { edge, share, isFilled = false } = icons[name]
  const fileId = chooseFile(settings, school)
  const image = fileId === null ? undefined : await bytesOfFile({ database, school, files }, fileId, MAX_IMAGE_BYTES)
  if (image === undefined) return drawMark(request, parts, edge, settings)
  const background = isFilled ? settings.colors.light.page : undefined
  return files.media.drawIcon({ image }, { edge, share, background }).catch(() => {
    request.logWarning('icon_unreadable', { file: fileId })
    return drawMark(request, parts, edge, settings)
  })
}

const createShowIcon = (parts: IconParts): Endpoint['handle'] => {
  const kept = new Map<string, Promise<Buffer>>()
  return async request => {
    const name = /^(\w+)\.png$/.exec(request.params.icon ?? '')?.[1] ?? ''
    if (!isIconName(name)) throw new Refusal(notFound, 'There is no such icon.')
    const { school } = request
    const { number, settings } = await readPublished(request)
    const key = `${school.id} ${number} ${name} ${school.name}`
    if (kept.size >= MOST_KEPT) kept.clear()
    const icon = kept.get(key) ?? draw(request, parts, name, settings)
    kept.set(key, icon)
    icon.catch(() => kept.delete(key))
    return cacheable(request.header('if-none-match'), 'image/png', await icon, SECONDS)
  }
}

/** What browsers read to install a school as an app: its manifest, and the icons of its picture or else its mark. */
export const iconEndpoints = (parts: IconParts): Endpoint[] => [
  endpoint({ route: 'GET /appearance/manifest.webmanifest', handle: showManifest }),
  endpoint({ route: 'GET /appearance/icons/:icon', handle: createShowIcon(parts) }),
]
