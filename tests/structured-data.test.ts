import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#testing/app.ts'

const app = testApp()

type Node = Readonly<Record<string, unknown>>

// The types of schema.org that pages use, with the properties of each that are used, inherited ones too
// (https://schema.org/version/latest).
const VOCABULARY: Readonly<Record<string, string>> = {
  Organization: 'name url logo description image sameAs',
  EducationalOrganization: 'name url logo description image sameAs',
  WebSite: 'name url description inLanguage publisher potentialAction',
  Person: 'name url image description',
  Course: 'name description url inLanguage provider image offers hasCourseInstance aggregateRating',
  CourseInstance: 'courseMode courseWorkload',
  Product: 'name description url image brand offers',
  Offer: 'name category price priceCurrency priceSpecification availability url',
  UnitPriceSpecification: 'price priceCurrency unitCode billingIncrement',
  AggregateRating: 'ratingValue ratingCount bestRating',
  Event: 'name url description startDate endDate eventStatus eventAttendanceMode location image organizer offers',
  VirtualLocation: 'url',
  Place: 'name address',
  ItemList: 'itemListElement',
  BreadcrumbList: 'itemListElement',
  ListItem: 'position name url item',
  BlogPosting:
    'headline name description url image datePublished dateModified author publisher inLanguage isAccessibleForFree mainEntityOfPage',
}

const check = (value: unknown, at: string): void => {
  if (Array.isArray(value)) for (const one of value) check(one, at)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return
  const { '@type': type, '@context': _, ...rest } = value as Node
  const known = VOCABULARY[String(type)]
  assert.ok(known !== undefined, `${at}: ${type} is no type of the vocabulary`)
  for (const [name, inner] of Object.entries(rest)) {
    assert.ok(known.split(' ').includes(name), `${at}: ${type} has no ${name}`)
    check(inner, `${at} ${name}`)
  }
}

const readData = async (path: string): Promise<Node[]> => {
  const { text } = await app.send({ path, headers: { accept: 'text/html' } })
  const found = [...text.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map(([, json = '']) =>
    JSON.parse(json),
  )
  for (const one of found) {
    assert.equal(one['@context'], 'https://schema.org', path)
    check(one, path)
  }
  return found
}

const typed = (nodes: readonly Node[], type: string): Node => {
  const found = nodes.find(node => node['@type'] === type)
  assert.ok(found !== undefined, `no ${type}`)
  return found
}

const items = (node: Node) =>
  node.itemListElement as readonly { position: number; name: string; url?: string; item?: string }[]

test('each list is an ItemList of its pages, and each page has the way to it', async () => {
  for (const list of ['/courses', '/products', '/plans', '/events', '/blog', '/lecturers']) {
    const shown = items(typed(await readData(list), 'ItemList'))
    assert.deepEqual(
      shown.map(({ position }) => position),
      shown.map((_, index) => index + 1),
    )
    for (const { url = '' } of shown) {
      assert.ok(url.startsWith(`${app.a.baseUrl}${list}/`), url)
      const nodes = await readData(url.slice(app.a.baseUrl.length))
      const way = items(typed(nodes, 'BreadcrumbList')).map(({ item }) => item)
      assert.deepEqual(way, [`${app.a.baseUrl}/`, `${app.a.baseUrl}${list}`, url])
    }
  }
})

test('a course has an instance, and prices that are what is paid in all or for a period', async () => {
  const { json } = await app.send({ path: '/api/v1/courses?limit=100' })
  const kinds = new Set<string>()
  for (const { id, slug } of json.data) {
    const { prices } = (await app.send({ path: `/api/v1/courses/${id}?expand=prices` })).json
    const course = typed(await readData(`/courses/${slug}`), 'Course')
    const [instance] = course.hasCourseInstance as readonly Node[]
    assert.equal(instance?.courseMode, 'Online')
    assert.match(String(instance?.courseWorkload ?? 'PT1H0M'), /^PT\d+H\d+M$/)
    for (const [index, offer] of (course.offers as readonly Node[]).entries()) {
      const price = prices[index]
      kinds.add(price.payment_type)
      const minor = price.payment_type === 'payment_plan' ? price.amount * price.number_of_payments : price.amount
      const stated = price.payment_type === 'subscription' ? (offer.priceSpecification as Node) : offer
      assert.deepEqual([stated.price, stated.priceCurrency], [(minor / 100).toFixed(2), price.currency], slug)
      if (price.payment_type === 'subscription')
        assert.deepEqual([offer.price, typeof stated.unitCode], [undefined, 'string'])
    }
  }
  assert.ok(kinds.has('payment_plan'), [...kinds].join(' '))
})

test('products and plans are offered, and events have offers and the local time with its offset', async () => {
  for (const list of ['/products', '/plans']) {
    const [first] = items(typed(await readData(list), 'ItemList'))
    const product = typed(await readData(String(first?.url).slice(app.a.baseUrl.length)), 'Product')
    assert.ok((product.offers as readonly Node[]).length > 0, list)
  }
  const kinds = new Map<string, readonly string[]>()
  const listPlaces = ({ location }: Node) => [location].flat().map(place => String((place as Node)['@type']))
  for (const { url = '' } of items(typed(await readData('/events'), 'ItemList'))) {
    const event = (await readData(url.slice(app.a.baseUrl.length))).find(node => node['@type'] === 'Event')
    if (event === undefined) continue
    assert.match(String(event.startDate), /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?[+-]\d\d:\d\d$/)
    assert.ok(Date.parse(String(event.endDate)) > Date.parse(String(event.startDate)))
    assert.ok(Array.isArray(event.offers))
    kinds.set(String(event.eventAttendanceMode).replace(/.*\//, ''), listPlaces(event))
  }
  assert.deepEqual(kinds.get('MixedEventAttendanceMode'), ['Place', 'VirtualLocation'])
  assert.deepEqual(kinds.get('OfflineEventAttendanceMode'), ['Place'])
})
