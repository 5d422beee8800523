import { texts } from '#src/texts/index.ts'
import type { StaffSection } from '../../section.ts'
import { productEdit } from './edit.ts'
import { productFile } from './file.ts'
import { productGifts } from './gifts.ts'
import { productList } from './list.ts'
import { productDetail } from './product.ts'

const { title: name, about } = texts.staff.products.common

/** The pages of digital products. */
export const products: readonly StaffSection[] = [
  {
    entries: [{ path: '/staff/products', name, about }],
    pages: [...productList, ...productEdit, ...productDetail, ...productFile, ...productGifts],
  },
]
