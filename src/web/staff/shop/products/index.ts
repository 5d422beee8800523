import type { StaffSection } from '../../section.ts'
import { productEdit } from './edit.ts'
import { productFile } from './file.ts'
import { productGifts } from './gifts.ts'
import { productList } from './list.ts'
import { productDetail } from './product.ts'

/** The pages of digital products. */
export const products: readonly StaffSection[] = [
  {
    pages: [...productList, ...productEdit, ...productDetail, ...productFile, ...productGifts],
  },
]
