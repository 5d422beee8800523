import { escapeXml } from '#src/kit/html.ts'
import type { PostView } from './reads.ts'

type Feed = { readonly title: string; readonly siteOrigin: string; readonly posts: readonly PostView[] }

const renderEntry = (post: PostView, siteOrigin: string): string => `<entry>
<id>${escapeXml(`${siteOrigin}/blog#${post.id}`)}</id>
<title>${escapeXml(post.title)}</title>
<link rel="alternate" type="text/html" href="${escapeXml(post.url)}"/>
<published>${post.published_at ?? post.created_at}</published>
<updated>${post.updated_at}</updated>
${post.author === null ? '' : `<author><name>${escapeXml(post.author.name)}</name></author>\n`}${post.tags.map(tag => `<category term="${escapeXml(tag)}"/>\n`).join('')}<summary type="text">${escapeXml(post.excerpt)}</summary>
</entry>
`

/** A feed (RFC 4287) of posts with their excerpts: what everybody reads of each, and nothing else. */
export const renderFeed = ({ title, siteOrigin, posts }: Feed): string => `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${escapeXml(`${siteOrigin}/blog`)}</id>
<title>${escapeXml(title)}</title>
<author><name>${escapeXml(title)}</name></author>
<link rel="alternate" type="text/html" href="${escapeXml(`${siteOrigin}/blog`)}"/>
<link rel="self" type="application/atom+xml" href="${escapeXml(`${siteOrigin}/feed.xml`)}"/>
<updated>${posts.map(({ updated_at: at }) => at).reduce((last, at) => (at > last ? at : last), '1970-01-01T00:00:00.000Z')}</updated>
${posts.map(post => renderEntry(post, siteOrigin)).join('')}</feed>
`
