import type { School } from './school.ts'

/** The OAuth client of the API reference at `/docs`, the same at every school; it is never registered. */
export const referenceClient = { id: 'api-reference', name: 'API reference' } as const

/** Its only redirect URI, compared byte for byte. The school itself serves it. */
export const referenceCallback = ({ siteOrigin }: Pick<School, 'siteOrigin'>): string => `${siteOrigin}/docs/callback`
