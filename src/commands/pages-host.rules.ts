// Second-level names such as co.uk are registries too.
const parseSite = (hostname: string): string => {
  const labels = hostname.split('.')
  const [second = ''] = labels.slice(-2)
  return labels.slice(second.length <= 3 ? -3 : -2).join('.')
}

/** What is weaker about a host for static pages than it could be; undefined where nothing is. */
export const findWeakness = (siteOrigin: string, pagesUrl: string): string | undefined => {
  const [school, pages] = [new URL(siteOrigin).hostname, new URL(pagesUrl).hostname]
  if (/^[\d.]+$|:|localhost$/.test(school) || parseSite(school) !== parseSite(pages)) return undefined
  return `shares the domain ${parseSite(school)} with the school, so its scripts can set cookies that the school receives; a domain of its own is better`
}

/** What the answer at the root of a host for static pages says about it; undefined where it is right. */
export const findFault = (
  siteOrigin: string,
  { status, location, type }: { readonly status: number; readonly location: string | null; readonly type: string },
): string | undefined => {
  if (status === 302 && (location === `${siteOrigin}/` || /^\/[a-z0-9]/.test(location ?? ''))) return undefined
  if (status === 404 && type.includes('problem+json'))
    return 'is not known to the server that answers there; a proxy has to pass on the Host header, or X-Forwarded-Host'
  if (status === 200)
    return 'shows another site, perhaps that of the school; a proxy has to pass on the Host header, or X-Forwarded-Host'
  return `answers with status ${status}, and not as a host for static pages`
}
