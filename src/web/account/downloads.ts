import type { Static } from 'typebox'
import { AccountDownloadPage, DownloadLink } from '#src/areas/shop/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { notFound } from '#src/contract/problems.ts'
import { formField } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { idPattern } from '#src/kit/ids.ts'
import { texts } from '#src/texts/index.ts'
import { form, hidden, page, shownAgain } from '#src/web/page/index.ts'
import { backLink } from './links.ts'
import { type AccountContext, owner } from './parts.ts'

const { downloads: text } = texts.account

const PATH = '/account/downloads'
const FILE = new RegExp(idPattern('dpf'))

type OwnProduct = Encoded<Static<typeof AccountDownloadPage>>['data'][number]

const fileItem = (file: OwnProduct['files'][number], { t, form }: AccountContext): Html => {
  const { id, name, downloads_left: left } = file
  const button = html`<div class="buttons"><button type="submit" aria-label="${t(text.buttonOf, { file: name })}">${t(texts.words.download)}</button></div>`
  return html`<li><bdi>${name}</bdi>${left !== null && html`<br><span class="quiet">${t(text.left, { n: left })}</span>`}
${left !== 0 && form(html`${hidden({ file: id })}${button}`)}</li>
`
}

const productPart = ({ name, files, license_text: license }: OwnProduct, context: AccountContext): Html => {
  const { t } = context
  return html`<section>
<h2><bdi>${name}</bdi></h2>
${
  files.length === 0
    ? html`<p class="quiet">${t(text.noFiles)}</p>`
    : html`<ul class="list">
${files.map(file => fileItem(file, context))}</ul>`
}
${license !== '' && html`<p class="quiet">${t(text.license)}: <bdi>${license}</bdi></p>`}
</section>
`
}

const show = async (context: AccountContext, isRefused = false): Promise<Reply> => {
  const { t, call, frame, language } = context
  const query = [['limit', '100']] as const
  const { data } = await call({ operation: 'listAccountDownloads', query, returns: AccountDownloadPage })
  return frame({
    title: t(texts.words.yourDownloads),
    ...(isRefused ? { notice: { kind: 'refused', text: t(text.refused) }, status: 409 } : {}),
    // A bucket has the file at an origin of its own.
    leadsAway: true,
    body: html`${data.length === 0 ? html`<p>${t(text.none)}</p>` : data.map(one => productPart(one, context))}
<p><a href="/products">${t(text.all)}</a></p>
${backLink(language)}`,
  })
}

/** GET and POST /account/downloads: the files that a person has, each with a form that leads to its bytes. */
export const downloadsPages = [
  page(`GET ${PATH}`, owner, context => show(context)),
  form(`POST ${PATH}`, owner, async (context, typed) => {
    const fileId = formField(typed, 'file')
    if (!FILE.test(fileId)) return show(context, true)
    const params = { file_id: fileId }
    return shownAgain(
      async () => (await context.call({ operation: 'createDownloadLink', params, returns: DownloadLink })).url,
      () => show(context, true),
      ({ problem }) => problem === notFound,
    )
  }),
]
