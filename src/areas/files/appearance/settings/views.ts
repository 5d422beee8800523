import { fileViews } from '#src/areas/files/storage/index.ts'
import type { Caller } from '#src/contract/caller.ts'
import type { AsCaller, ReadContext } from '#src/contract/operation.ts'
import { listFileIds, listFiles } from './rules.ts'
import type { FileField, Settings } from './schema.ts'

/** Where an appearance is shown with its files. */
export type Showing = AsCaller<Caller> & Pick<ReadContext, 'keyFor'>

/** Settings with their files, for callers who may see them; a file that was deleted is null. */
export const shownSettings = async (context: Showing, settings: Settings) => {
  const views = await fileViews(context, listFileIds(settings))
  const ids = listFiles(settings)
  const getView = (field: FileField) => views.get(ids[field] ?? '') ?? null
  return {
    ...settings,
    logo: getView('logo'),
    logo_dark: getView('logo_dark'),
    favicon: getView('favicon'),
    social_image: getView('social_image'),
    email: { ...settings.email, header_image: getView('email_header') },
    sign_in: { ...settings.sign_in, image: getView('sign_in_image') },
  }
}
