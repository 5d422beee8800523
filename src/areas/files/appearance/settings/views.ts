import { fileViews } from '#src/areas/files/storage/index.ts'
import type { Caller } from '#src/contract/caller.ts'
import type { AsCaller, ReadContext } from '#src/contract/operation.ts'
import { fileIdsOf, filesOf } from './rules.ts'
import type { FileField, Settings } from './schema.ts'

/** Where an appearance is shown with its files. */
export type Showing = AsCaller<Caller> & Pick<ReadContext, 'keyFor'>

/** Settings with their files, for callers who may see them; a file that was deleted is null. */
export const shownSettings = async (context: Showing, settings: Settings) => {
  const views = await fileViews(context, fileIdsOf(settings))
  const ids = filesOf(settings)
  const viewOf = (field: FileField) => views.get(ids[field] ?? '') ?? null
  return {
    ...settings,
    logo: viewOf('logo'),
    logo_dark: viewOf('logo_dark'),
    favicon: viewOf('favicon'),
    social_image: viewOf('social_image'),
    email: { ...settings.email, header_image: viewOf('email_header') },
    sign_in: { ...settings.sign_in, image: viewOf('sign_in_image') },
  }
}
