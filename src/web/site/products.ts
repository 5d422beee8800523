import { fill } from '#src/contract/language.ts'
import { cleanLine } from '#src/kit/text.ts'
import type { SiteView } from './frame.ts'
import { crumbsData, listData, productData } from './pages/item-data.ts'
import type { OwnProduct } from './pages/own.ts'
import { shared } from './pages/picture.ts'
import { productMain } from './pages/product.ts'
import { productsMain } from './pages/products.ts'
import { productText as text } from './product-text.ts'
import { moved, type PageRequest, type ShowPage } from './respond.ts'

const PAGE = '24'
const MAX_CURSOR = 500

/** GET /products: the listed products, in pages. */
export const showProducts: ShowPage = async (page): Promise<SiteView> => {
  const { reads, request, school, language } = page
  const cursor = cleanLine(new URLSearchParams(request.query).get('cursor') ?? '', MAX_CURSOR)
  const { data, next_cursor: next } = await reads.products([
    ['limit', PAGE],
    ['sort', '-created_at'],
    ...(cursor === '' ? [] : [['cursor', cursor] as const]),
  ])
  return {
    title: fill(text.title, language),
    description: fill(text.intro, language, { school: school.name }),
    // The pages after the first one change with every new product.
    path: cursor === '' ? '/products' : undefined,
    returnTo: '/products',
    jsonLd: listData(
      page,
      data.map(({ name, slug }) => ({ name, path: `/products/${slug}` })),
    ),
    main: productsMain({ page, products: data, next, isFirst: cursor === '' }),
  }
}

const readOwn = async ({ own }: PageRequest, id: string): Promise<OwnProduct> => {
  const product = await own?.findProduct(id)
  return product === undefined ? { waiting: await own?.findWaiting(id) } : { product }
}

/** GET /products/:slug: a product with its prices and files; an earlier slug leads to the current one. */
export const showProduct: ShowPage = async page => {
  const { reads, request, language } = page
  const slug = request.params.slug ?? ''
  const product = await reads.product(slug)
  const path = `/products/${product.slug}`
  if (product.slug !== slug) return moved(path)
  const [profile, offering, files, own] = await Promise.all([
    reads.school(),
    reads.offering(page.person?.member),
    reads.productFiles(product.id),
    readOwn(page, product.id),
  ])
  const view: SiteView = {
    title: product.seo.title ?? product.name,
    description: product.seo.description ?? product.subtitle,
    // An unlisted product is for those who have its address.
    path: product.visibility === 'listed' ? path : undefined,
    returnTo: path,
    image: shared(product.image),
    jsonLd: [
      productData({ ...product, about: product.subtitle }, path, page),
      crumbsData(page, [
        { name: fill(text.title, page.language), path: '/products' },
        { name: product.name, path },
      ]),
    ],
    main: productMain({
      page,
      terms: { ...offering, timeZone: profile.time_zone, language },
      product,
      files: files.data,
      own,
    }),
  }
  return view
}
