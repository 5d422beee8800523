import { filesById, fileViews } from '#src/areas/files/storage/index.ts'
import { anonymous } from '#src/contract/caller.ts'
import type { EndpointRequest } from '#src/contract/endpoint.ts'
import type { Look } from '#src/contract/look.ts'
import { declareFor } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { fontFaces, fontFamilies } from '#src/kit/fonts.ts'
import { toId } from '#src/kit/ids.ts'
import { forceScheme, schemeIn } from '#src/kit/scheme.ts'
import { AppearancePreview } from '../schema.ts'
import { getDraft } from '../settings/queries.ts'
import { listFileIds, listFiles } from '../settings/rules.ts'
import { baseSheet, buildLook, isWordmark, siteSheet } from '../versions/rules.ts'
import { computeExpiry, isPreviewToken, PREVIEWS, previewToken } from './rules.ts'

const createAppearancePreview = declareFor('staff', 'appearance', {
  id: 'createAppearancePreview',
  route: 'POST /appearance/previews',
  summary: 'Create a preview of the draft',
  description:
    'Returns an address that shows the site with the draft, as it is then, to whoever has the address. It is valid for one hour, and search engines do not list it.',
  returns: AppearancePreview,
  status: 201,
  async handle({ school, now, keyFor, changed, record }) {
    const expires = computeExpiry(now)
    changed({ ids: [toId('scl', school.id)], fields: ['preview'] })
    record({ type: 'appearance.previewed', payload: {} })
    return {
      url: `${school.siteOrigin}${previewPath(previewToken(keyFor(PREVIEWS), school.id, expires))}`,
      expires_at: new Date(expires * 1000),
    }
  },
})

/** The operations of previews. */
export const previewOperations = [createAppearancePreview]

/** The path of a preview, below which pages of the site have the draft. */
export const previewPath = (token: string): string => `/appearance/previews/${token}`

type KeyFor = (purpose: string) => Buffer

/** The path of a preview that begins now, for a page whose reader may see the draft; nothing is recorded. */
export const startPreview = async ({ database, school }: EndpointRequest, keyFor: KeyFor): Promise<string> => {
  const { now } = await database.statements(school.id, db => getDraft(db, school.id))
  return previewPath(previewToken(keyFor(PREVIEWS), school.id, computeExpiry(now)))
}

/** The style sheets of a preview: that of the site with the CSS of the school, and that without. */
export type PreviewSheet = 'site.css' | 'base.css'

const readDraft = async ({ database, school }: EndpointRequest, keyFor: KeyFor, token: string) => {
  const draft = await database.statements(school.id, db => getDraft(db, school.id))
  if (isPreviewToken(keyFor(PREVIEWS), school.id, token, draft.now)) return draft.settings
  throw new Refusal(notFound, 'There is no such preview, or it has expired.')
}

/** What pages show in a preview; refuses a token that is not valid. */
export const previewLook = async (request: EndpointRequest, keyFor: KeyFor, token: string): Promise<Look> => {
  const { database, school } = request
  const settings = await readDraft(request, keyFor, token)
  const ids = listFiles(settings)
  const [views, files] = await database.statements(school.id, db =>
    Promise.all([
      fileViews({ db, school, caller: anonymous, keyFor }, listFileIds(settings)),
      filesById(db, school.id, ids.logo === null ? [] : [ids.logo]),
    ]),
  )
  const images = Object.fromEntries(Object.entries(ids).map(([field, id]) => [field, views.get(id ?? '')?.url ?? null]))
  const sheet = (name: PreviewSheet): string => `${previewPath(token)}/${name}`
  const siteStyleSheet = sheet(settings.custom_css === '' ? 'base.css' : 'site.css')
  const sheets = { styleSheet: sheet('base.css'), siteStyleSheet, isWordmark: isWordmark(files.get(ids.logo ?? '')) }
  return buildLook(settings, sheets, images)
}

/** A style sheet of a preview, with every font that the draft may have next; refuses a token that is not valid. */
export const previewSheet = async (
  request: EndpointRequest,
  keyFor: KeyFor,
  { token, sheet }: { readonly token: string; readonly sheet: PreviewSheet },
): Promise<string> => {
  const settings = await readDraft(request, keyFor, token)
  const css = sheet === 'base.css' ? baseSheet(settings) : await siteSheet(settings)
  return `${fontFaces(Object.keys(fontFamilies))}\n${forceScheme(css, schemeIn(request.query))}`
}
