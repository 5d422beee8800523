import type { School } from './school.ts'

/** The client that the API reference at `/docs` is at every school; it is never registered. */
export const referenceClient = { id: 'api-reference', name: 'API reference' } as const

/** Its only redirect URI, compared byte for byte: outside the path of every cookie, served by the school itself. */
export const referenceCallback = ({ baseUrl }: Pick<School, 'baseUrl'>): string => `${baseUrl}/docs/callback`
