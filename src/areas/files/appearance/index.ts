import { area } from '#src/contract/area.ts'
import { implementations } from './implementations.ts'
import { previewOperations } from './previews/operations.ts'
import { iconEndpoints } from './served/icons.operations.ts'
import { servedEndpoints } from './served/operations.ts'
import { draftOperations } from './settings/operations.ts'
import { publishedOperations, versionOperations } from './versions/operations.ts'

export { type PreviewSheet, previewLook, previewPath, previewSheet, startPreview } from './previews/operations.ts'
export { AppearanceDraft, AppearancePreview, AppearanceVersionPage } from './schema.ts'
export { hasAppearance } from './settings/queries.ts'
export { listTypes } from './settings/rules.ts'
export { colorNames, type FileField, fileFields, Href, NewAppearance, schemes, socialNames } from './settings/schema.ts'
export { listMeasures } from './versions/rules.ts'
export { addAppearance } from './versions/writes.ts'

/** How the pages of a school look: one draft, numbered versions, and the style sheets and images that are served of them. */
export const appearance = area({
  name: 'appearance',
  operations: [...publishedOperations, ...draftOperations, ...previewOperations, ...versionOperations],
  endpoints: parts => [...servedEndpoints(parts.files), ...iconEndpoints(parts)],
  hooks: implementations,
})
