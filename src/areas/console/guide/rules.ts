import type { Readiness } from '#src/areas/console/standing/index.ts'
import type { GuideStep, StepLack } from './schema.ts'

type Lacks = Readonly<Record<GuideStep, readonly StepLack[]>>

const when = (isMissing: boolean, lack: StepLack): StepLack[] => (isMissing ? [lack] : [])

/** What each step of the guide lacks; `hasServer`: whether there is a mail server. */
export const findLacks = (ready: Readiness, hasServer: boolean): Lacks => {
  const { legal } = ready.selling
  return {
    appearance: [...when(!ready.is_named, 'name'), ...when(!ready.has_look, 'look')],
    seller: [
      ...when(legal.name === null, 'seller_name'),
      ...when(legal.address === null, 'seller_address'),
      ...when(ready.terms === null, 'terms'),
      ...when(ready.terms?.is_published === false, 'terms_published'),
    ],
    payments: ready.missing,
    mail: hasServer ? when(!ready.is_accepted, 'mail_test') : ['mail_server'],
    domain: when(ready.is_local, 'local_address'),
    price: when(!ready.is_priced, 'price'),
    publication: when(!ready.is_on_sale, 'publication'),
  }
}
