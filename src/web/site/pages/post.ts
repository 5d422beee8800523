import { fill } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { blogText as text } from '../blog-text.ts'
import { inSchool, signUpPath } from '../header.ts'
import type { PostCategoryView, PostView } from '../reads.ts'
import type { PageRequest } from '../respond.ts'
import { siteText } from '../text.ts'
import { postFacts } from './blog.ts'
import { headingsFrom } from './markdown.ts'
import { coursePicture } from './picture.ts'

/** A post as a page shows it. */
type PostPageView = {
  readonly page: Pick<PageRequest, 'school' | 'language'>
  readonly timeZone: string
  readonly post: PostView
  /** The categories of the school. */
  readonly categories: readonly PostCategoryView[]
  /** The comments below it, for those who may read it. */
  readonly comments: Html | false
  /** Whether the page is for somebody who is signed in. */
  readonly isSignedIn: boolean
}

const renderHead = ({ page, timeZone, post, categories }: PostPageView): Html => {
  const attributes = inSchool(page)
  const category = categories.find(({ id }) => post.category_ids.some(one => one === id))
  return html`<header>
<p class="crumbs"><a href="/blog">${fill(text.title, page.language)}</a>${
    category !== undefined &&
    html` <span aria-hidden="true">›</span> <a href="/blog/category/${category.slug}"${attributes}>${category.name}</a>`
  }</p>
<h1${attributes}>${post.title}</h1>
${post.subtitle !== '' && html`<p class="lead"${attributes}>${post.subtitle}</p>`}
${postFacts(post, { ...page, timeZone })}
</header>`
}

// The pages below /account know who is signed in; what those of the site say of a post is the same for everybody.
const renderLock = ({ page: { school, language }, post, isSignedIn }: PostPageView): Html => {
  if (isSignedIn) return html`<aside class="panel join"><p>${fill(text.notInPlan, language)}</p></aside>`
  const path = `/account/posts/${post.slug}`
  const reason = post.access === 'paid' ? text.lockedPaid : text.lockedMembers
  return html`<aside class="panel join">
<p>${fill(reason, language, { school: school.name })}</p>
<p class="actions"><a class="button main" href="${path}">${fill(text.readOn, language)}</a>${
    school.signupMode === 'open' &&
    html` <a class="button" href="${signUpPath(path)}">${fill(siteText.signUp, language)}</a>`
  }</p>
</aside>`
}

const renderBody = (view: PostPageView): Html => {
  const { page, post } = view
  const shown = post.body_html ?? post.teaser_html
  const isLocked = post.reader_access.state === 'locked'
  return html`${
    shown === undefined
      ? post.excerpt !== '' && html`<p class="lead"${inSchool(page)}>${post.excerpt}</p>`
      : html`<div class="prose"${inSchool(page)}>${headingsFrom(2, shown)}</div>`
  }
${isLocked && renderLock(view)}`
}

const renderTags = ({ page: { language }, post: { tags } }: PostPageView): Html | false =>
  tags.length > 0 &&
  html`<nav class="chips" aria-label="${fill(texts.words.tags, language)}">
<ul>
${tags.map(
  tag => html`<li><a class="chip" href="/blog?${String(new URLSearchParams({ tag }))}" dir="auto">${tag}</a></li>\n`,
)}</ul>
</nav>`

/** The content of the page of a post. */
export const postMain = (view: PostPageView): Html => html`<article class="wrap section post">
${renderHead(view)}
${view.post.cover !== null && coursePicture({ id: view.post.id, name: view.post.title, image: view.post.cover }, '(min-width: 60rem) 48rem, 92vw', 'first')}
${renderBody(view)}
${renderTags(view)}
${view.comments}</article>`
