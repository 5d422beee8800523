import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import { type Html, html } from '#src/kit/html.ts'
import { redirectingPageHeaders } from '#src/kit/html-page.ts'
import { texts } from '#src/texts/index.ts'
import { formOf, framed, type Notice } from '#src/web/page/index.ts'
import { backLink } from './account.ts'

const text = texts.account.downloads

type OwnFile = { readonly id: string; readonly name: string; readonly downloads_left: number | null }

type OwnProduct = { readonly name: string; readonly license_text: string; readonly files: readonly OwnFile[] }

type DownloadsView = {
  readonly school: School
  readonly language: Language
  readonly token: string
  readonly products: readonly OwnProduct[]
  readonly isRefused: boolean
}

const button = ({ id, name }: OwnFile, { language, token }: DownloadsView): Html =>
  formOf(
    '/account/downloads',
    token,
    html`<input type="hidden" name="file" value="${id}">
<div class="buttons"><button type="submit" aria-label="${fill(text.buttonOf, language, { file: name })}">${fill(text.button, language)}</button></div>`,
  )

const fileItem = (file: OwnFile, view: DownloadsView): Html => {
  const { name, downloads_left: left } = file
  const { language } = view
  return html`<li><bdi>${name}</bdi>${left !== null && html`<br><span class="quiet">${fill(text.left, language, { n: left })}</span>`}
${left !== 0 && button(file, view)}</li>
`
}

const productPart = (product: OwnProduct, view: DownloadsView): Html => {
  const { language } = view
  const { name, files, license_text: license } = product
  return html`<section>
<h2><bdi>${name}</bdi></h2>
${
  files.length === 0
    ? html`<p class="quiet">${fill(text.noFiles, language)}</p>`
    : html`<ul class="list">
${files.map(file => fileItem(file, view))}</ul>`
}
${license !== '' && html`<p class="quiet">${fill(text.license, language)}: <bdi>${license}</bdi></p>`}
</section>
`
}

/** The files that a person can download, each with a form that leads to its bytes. */
export const downloadsPage = (view: DownloadsView): Reply => {
  const { school, language, products, isRefused } = view
  const notice: Notice | undefined = isRefused ? { kind: 'refused', text: fill(text.refused, language) } : undefined
  const reply = framed({
    ...{ language, school, notice },
    ...(isRefused ? { status: 409 } : {}),
    title: fill(text.title, language),
    body: html`${products.length === 0 ? html`<p>${fill(text.none, language)}</p>` : products.map(one => productPart(one, view))}
<p><a href="/products">${fill(text.all, language)}</a></p>
${backLink(language)}`,
  })
  // The form leads to the file, which a bucket has at an origin of its own.
  const policy = 'content-security-policy'
  return { ...reply, headers: { ...reply.headers, [policy]: redirectingPageHeaders[policy] ?? '' } }
}
