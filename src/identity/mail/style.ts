import type { MailStyle } from '#src/contract/look.ts'
import type { Html } from '#src/kit/html.ts'

/** The styles of the elements of a mail, which many programs read nowhere else. */
export type Styles = ReturnType<typeof buildStyles>

const FONT = "system-ui,-apple-system,'Segoe UI',Roboto,sans-serif"
const CODE = 'ui-monospace,Menlo,Consolas,monospace'

const corners = {
  square: { box: '0', part: '0', button: '0' },
  soft: { box: '14px', part: '8px', button: '999px' },
  round: { box: '24px', part: '14px', button: '999px' },
} as const

/** The styles of a mail in the light scheme of a school. */
export const buildStyles = ({ colors: { light }, radius }: MailStyle) => {
  const { page, sheet, ink, quiet, line, accent, on_accent: onAccent } = light
  const { box, part, button } = corners[radius]
  return {
    body: `margin:0;padding:0;background:${page}`,
    page: `width:100%;background:${page};color:${ink};font:16px/1.6 ${FONT};font-variant-numeric:lining-nums`,
    box: `width:100%;max-width:560px;margin:0 auto;background:${sheet};border-radius:${box};overflow:hidden`,
    bar: `height:8px;line-height:8px;font-size:0;background:${accent}`,
    inner: 'padding:32px 7% 24px;text-align:start;overflow-wrap:anywhere',
    foot: `padding:20px 7%;border-top:1px solid ${line};color:${quiet};font-size:14px;text-align:start;overflow-wrap:anywhere`,
    mark: `display:inline-block;width:44px;height:44px;border-radius:${part};background:${accent};color:${onAccent};font-weight:600;line-height:44px;text-align:center`,
    logo: `height:44px;width:auto;max-width:100%;border:0;border-radius:${part}`,
    header: 'width:100%;height:auto;border:0',
    heading: `margin:20px 0 16px;color:${ink};font-size:26px;line-height:1.25;font-weight:600;text-wrap:balance`,
    text: 'margin:0 0 16px',
    small: `margin:0 0 12px;color:${quiet};font-size:14px`,
    code: `margin:0 0 16px;padding:12px;border-radius:${part};background:${page};font:600 32px/1.3 ${CODE};letter-spacing:0.12em;text-align:center;white-space:nowrap`,
    action: 'margin:24px 0',
    button: `display:inline-block;padding:12px 25px;border-radius:${button};background:${accent};color:${onAccent};font-weight:600;text-decoration:none`,
    link: `color:${accent}`,
    table:
      'width:100%;margin:0 0 20px;border-collapse:collapse;font-size:15px;font-variant-numeric:lining-nums tabular-nums',
    cell: `padding:8px 0;border-bottom:1px solid ${line};vertical-align:top`,
    total: `padding:8px 0;border-bottom:1px solid ${line};font-weight:600;vertical-align:top`,
    note: `padding:6px 0;color:${quiet};font-size:14px;vertical-align:top`,
  }
}

/** The colors of the dark scheme, for programs that read style sheets; the classes are those of `renderMail`. */
export const darkSheet = ({ colors: { dark } }: MailStyle): Html => {
  const rules = {
    '.page': `background:${dark.page}!important;color:${dark.ink}!important`,
    '.box': `background:${dark.sheet}!important`,
    '.ink': `color:${dark.ink}!important`,
    '.quiet': `color:${dark.quiet}!important`,
    '.line': `border-color:${dark.line}!important`,
    '.fill': `background:${dark.accent}!important;color:${dark.on_accent}!important`,
    '.link': `color:${dark.accent}!important`,
  }
  const sheet = Object.entries(rules).map(([selector, values]) => `${selector}{${values}}`)
  // The colors are checked by their schema, so nothing of them ends the sheet.
  return { html: `<style>:root{color-scheme:light dark}@media(prefers-color-scheme:dark){${sheet.join('')}}</style>` }
}
