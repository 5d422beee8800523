import type { StaffSection } from '../../section.ts'
import { productEdit } from './edit.ts'
import { productFile } from './file.ts'
import { productList } from './list.ts'
import { productPeople } from './people.ts'
import { productDetails } from './product.ts'

/** The pages of digital products. */
export const products: readonly StaffSection[] = [productList, productEdit, productDetails, productFile, productPeople]
