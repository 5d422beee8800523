import Type from 'typebox'
import { Id } from '#src/kit/shapes.ts'
import { At, Count, declareFacts, FieldNames } from './declaration.ts'

const scope = 'digital_products:read'
const product = { product_id: Id('dpr') }
const aboutProduct = { scope, subject: 'product_id', readBy: 'getDigitalProduct' } as const
const gift = { gift_id: Id('ent'), member_id: Id('mem'), ...product }
const link = { download_link_id: Id('dlk'), file_id: Id('dpf'), member_id: Id('mem') }

/** The facts about digital products, gifts of them, and downloads. */
export const digitalProductFacts = {
  ...declareFacts(
    { ...aboutProduct, fields: product },
    {
      'digital_product.archived': 'A digital product was archived.',
      'digital_product.created': 'A digital product was created.',
      'digital_product.published': 'A digital product was published.',
      'digital_product.restored': 'A digital product was restored from the bin.',
      'digital_product.unarchived': 'A digital product was restored from the archive.',
      'digital_product.unpublished': 'A digital product was unpublished.',
      'digital_product.unscheduled': 'The scheduled publication of a digital product was cancelled.',
    },
  ),
  ...declareFacts(
    { scope, subject: 'product_id', fields: product },
    {
      'digital_product.deleted': 'A digital product was deleted.',
      'digital_product.purged': 'A digital product that was in the bin was deleted for good.',
    },
  ),
  ...declareFacts(
    { ...aboutProduct, fields: { ...product, publish_at: At } },
    { 'digital_product.scheduled': 'A digital product was scheduled for publication.' },
  ),
  ...declareFacts(
    { ...aboutProduct, fields: { ...product, copied_from_id: Id('dpr') } },
    { 'digital_product.copied': 'A digital product was copied as a draft.' },
  ),
  ...declareFacts(
    { ...aboutProduct, fields: { ...product, fields: FieldNames, notify: Type.Optional(Type.Boolean()) } },
    { 'digital_product.updated': 'A digital product changed.' },
  ),
  ...declareFacts(
    { ...aboutProduct, fields: { ...product, file_id: Id('dpf'), version: Count } },
    { 'product_file.replaced': 'A file of a digital product got a new version.' },
  ),
  ...declareFacts(
    { scope, subject: 'gift_id', fields: { ...gift, notify: Type.Boolean() } },
    { 'gift.created': 'Staff gave a digital product to a member.' },
  ),
  ...declareFacts({ scope, subject: 'gift_id', fields: gift }, { 'gift.deleted': 'Staff took a gift back.' }),
  ...declareFacts(
    { scope, subject: 'download_link_id', fields: link },
    {
      'download.counted': 'The first byte of a download was sent.',
      'download_link.created': 'A download link was created.',
    },
  ),
}
