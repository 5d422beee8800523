import assert from 'node:assert/strict'
import sharp from 'sharp'
import { enterAccount } from './account-pages.ts'
import { useBin } from './binned.ts'
import { type FormWalk, visitorAt } from './form-pages.ts'
import { integrationsHere } from './integrations.ts'
import { enrollIn, TEACHING, teach } from './learning.ts'
import { openUploads } from './page-uploads.ts'
import { setProvider } from './payments.ts'
import { setTest } from './test-schools.ts'
import { addShownWebhook } from './webhooks.ts'

/** The same for pages of the console. */
export const staffFormPages: Readonly<Record<string, (on: FormWalk) => Promise<void>>> = {
  '/staff/people/new': ({ walk }) => walk('/staff/people/new', 'ada', 'ben'),
  '/staff/payments/:provider and its removal': async ({ app, walk }) => {
    for (const provider of ['manual', 'test']) await setProvider(app, provider, {})
    for (const page of ['manual', 'test', 'test/removal']) await walk(`/staff/payments/${page}`, 'ada', 'ben')
  },
  '/staff/payments/live, of a test school that has sold something': async ({ app, walk }) => {
    // The page asks for nothing in a school at http that is no test school.
    await setTest(app, true)
    await walk('/staff/payments/live', 'ada', 'ben')
    await setTest(app, false)
  },
  '/staff/appearance': ({ walk }) => walk('/staff/appearance', 'ada', 'ben'),
  '/staff/files and /staff/files/:file': async ({ app, walk }) => {
    const bytes = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#a52' } })
      .png()
      .toBuffer()
    const id = await (await openUploads(app, 'ada')).upload({ name: 'loaf.png', type: 'image/png', bytes }, 'course')
    for (const page of ['', `/fil_${id.slice(4)}`]) await walk(`/staff/files${page}`, 'ada', 'ben')
  },
  '/staff/imports/new and /staff/imports/:kind/:id': async ({ app, walk }) => {
    await walk('/staff/imports/new', 'ada', 'ben')
    const file = { name: 'people.csv', type: 'text/csv', bytes: Buffer.from('email,name\nbo@example.com,Bo\n') }
    const uploads = await openUploads(app, 'ada')
    const ada = await app.actor('ada', { scopes: ['members:write'] })
    const { json } = await ada.write('POST', '/members/imports', { upload_id: await uploads.upload(file, 'import') })
    await app.database.query(
      `update imports set status = 'unreadable', problem = '{"code": "empty", "message": "has no rows"}'
       where school_id = $1 and status = 'reading'`,
      [app.a.id],
    )
    await walk(`/staff/imports/people/${json.id}`, 'ada', 'ben')
    // One of each kind is ready, one was checked, and one has ended.
    const stored = await app.actor('ada', { scopes: ['members:read', 'students:read'] })
    for (const [kind, list] of Object.entries({ people: '/members/imports', learning: '/enrollments/imports' }))
      for (const status of ['ready', 'checked', 'completed']) {
        const [one] = (await stored.get(`${list}?status=${status}`)).json.data
        await walk(`/staff/imports/${kind}/${one.id}`, 'ada', 'ben')
      }
  },
  '/staff/invitations, /staff/settings/mail, /staff/settings/terms and /staff/settings/:part': async ({ walk }) => {
    for (const page of ['invitations', 'settings/school', 'settings/mail', 'settings/terms', 'settings/seller'])
      await walk(`/staff/${page}`, 'ada', 'ben')
  },
  '/staff, with the guide for the first run': async ({ app, walk }) => {
    await app.database.query('delete from guide_steps where school_id = $1', [app.a.id])
    await walk('/staff', 'ada', 'ben')
  },
  '/staff/integrations/new and /staff/integrations/app': async ({ app, walk }) => {
    await walk('/staff/integrations/new', 'ada', 'ben')
    const { out } = await integrationsHere(app, [
      ...['create', '--confidential', '--name', 'Till', '--redirect-uri', 'https://till.example/callback'],
    ])
    await walk(`/staff/integrations/app?client_id=${JSON.parse(out).client_id}`, 'ada', 'ben')
  },
  '/staff/webhooks/new, /staff/webhooks/:id and /staff/webhooks/:id/deliveries/:delivery': async ({ app, walk }) => {
    const { webhook, delivery } = await addShownWebhook(app)
    for (const page of ['/staff/webhooks/new', webhook, `${webhook}/edit`, delivery]) await walk(page, 'ada', 'ben')
  },
  '/staff/orders/:number and the other pages of orders': async ({ app, walk }) => {
    const ada = await app.actor('ada', { scopes: ['courses:read', 'members:read'] })
    const [course] = (await ada.get('/courses?q=sourdough&status=published')).json.data
    const [member] = (await ada.get('/members?q=femi')).json.data
    const record = `/record?member=${member.id}&price=${course.primary_price.id}`
    for (const page of ['/ORD-3', '/ORD-3/refund', record]) await walk(`/staff/orders${page}`, 'ada', 'ben')
  },
  '/staff/coupons/:id and the other pages of coupons': async ({ app, walk }) => {
    const { json } = await (await app.actor('ada', { scopes: ['coupons:read'] })).get('/coupons')
    for (const page of ['new', json.data[0].id, `${json.data[0].id}/edit`])
      await walk(`/staff/coupons/${page}`, 'ada', 'ben')
  },
  '/staff/courses/:course and the other pages of courses': async ({ app, walk }) => {
    const ada = await app.actor('ada', { scopes: ['courses:write', 'curriculum:write'] })
    const { json: course } = await ada.write('POST', '/courses', { name: 'Of forms' })
    const { json: section } = await ada.write('POST', `/courses/${course.id}/sections`, { name: 'Start' })
    const add = async (type: string): Promise<string> =>
      (await ada.write('POST', `/sections/${section.id}/lessons`, { name: type, type })).json.id
    const [quiz, work] = [await add('quiz'), await add('assignment')]
    const questions = [{ kind: 'text', prompt: 'Why?', accepted_answers: ['yes'] }]
    const { json } = await ada.write('PUT', `/lessons/${quiz}/quiz`, { questions })
    const path = `/staff/courses/${course.id}`
    const parts = [
      '',
      '/details',
      '/prices',
      '/schedule',
      '/certificate',
      '/publication',
      `/lessons/${quiz}`,
      `/lessons/${work}`,
    ]
    const ofQuiz = ['/questions/new', `/questions/${json.questions[0].id}`].map(page => `/lessons/${quiz}/quiz${page}`)
    await walk('/staff/courses/new', 'ada', 'ben')
    for (const page of [...parts, ...ofQuiz]) await walk(`${path}${page}`, 'ada', 'ben')
  },
  '/staff/grading, /staff/students and the other pages of those who teach': async ({ app, walk }) => {
    const ada = await app.actor('ada', { scopes: ['students:read', 'members:read', 'members:write', 'lecturers:read'] })
    const first = async (path: string): Promise<string> => (await ada.get(path)).json.data[0].id
    await walk(`/staff/grading/works/${await first('/submissions?graded=false')}`, 'ada', 'ben')
    await walk(`/staff/grading/attempts/${await first('/quiz-attempts?graded=false')}`, 'ada', 'ben')
    await walk(`/staff/students/${await first('/enrollments')}`, 'ada', 'ben')
    for (const page of [
      'students/new',
      'reviews',
      'categories',
      'groups',
      'certificates/new',
      'lecturers',
      'lecturers/new',
    ])
      await walk(`/staff/${page}`, 'ada', 'ben')
    const carla = await app.actor('carla', { scopes: ['courses:read', 'students:write'] })
    const [own] = (await carla.get('/courses?managed=true')).json.data
    const stranger = { email: 'stranger@crumb.example', name: 'Stranger', course_ids: [own.id] }
    const enrolled = await carla.write('POST', '/students', stranger)
    assert.ok(enrolled.status < 300, enrolled.text)
    // The form takes an enrollment by address back.
    await walk('/staff/enrollments', 'carla', 'ada')
    await walk(`/staff/lecturers/${(await ada.get('/lecturers')).json.data[0].id}`, 'ada', 'ben')
    const author = await app.actor('ada', { scopes: ['courses:write'] })
    const { json: template } = await author.write('POST', '/certificate-templates', { name: 'Of forms' })
    await walk(`/staff/certificates/${template.id}`, 'ada', 'ben')
    await walk(`/staff/groups/${await first('/groups')}`, 'ada', 'ben')
  },
  '/staff/products/:id and the other pages of products': async ({ app, walk }) => {
    const ada = await app.actor('ada', { scopes: ['digital_products:read', 'courses:read'] })
    const [category] = (await ada.get('/categories')).json.data
    await walk(`/staff/categories/${category.id}`, 'ada', 'ben')
    const [product] = (await ada.get('/digital-products')).json.data
    const [file] = (await ada.get(`/digital-products/${product.id}/files`)).json.data
    for (const page of [
      'new',
      product.id,
      `${product.id}/edit`,
      `${product.id}/people`,
      `${product.id}/files/${file.id}`,
    ])
      await walk(`/staff/products/${page}`, 'ada', 'ben')
  },
  '/staff/plans/:id and the other pages of plans': async ({ app, walk }) => {
    const ada = await app.actor('ada', { scopes: ['membership_plans:read', 'membership_plans:write'] })
    const { json: plan } = await ada.get('/membership-plans/slug:bakers-club')
    const [item] = plan.items
    const { id: draft } = (await ada.get('/membership-plans/slug:summer-school')).json
    const pages = ['new', plan.id, `${plan.id}/edit`, draft, `${plan.id}/items/${item.type}/${item.id}`]
    for (const page of pages) await walk(`/staff/plans/${page}`, 'ada', 'ben')
    await walk('/staff/plans', 'ada', 'ben')
    await walk(`/staff/plans/${plan.id}/prices/${plan.prices[0].id}/moves`, 'ada', 'ben')
    await walk(`/staff/plans/${draft}/items/${item.type}/${item.id}/addition`, 'ada', 'ben')
  },
  '/staff/pages/:id and the other pages of the site': async ({ app, walk }) => {
    const ada = await app.actor('ada', { scopes: ['pages:write'] })
    const create = async (title: string, values: object): Promise<string> => {
      const { status, json, text } = await ada.write('POST', '/pages', { title, ...values })
      assert.equal(status, 201, text)
      return json.id
    }
    const page = await create('Of forms', { path: '/of-forms' })
    assert.equal((await ada.write('PATCH', `/pages/${page}`, { title: 'Of two forms' })).status, 200)
    await walk('/staff/pages', 'ada', 'ben')
    for (const part of ['', '/versions']) await walk(`/staff/pages/${page}${part}`, 'ada', 'ben')
    const landing = await create('Landing', { path: '/landing', kind: 'static' })
    await walk(`/staff/pages/${landing}/bundles`, 'ada', 'ben')
  },
  '/staff/posts/:post and the other pages of posts': async ({ app, walk }) => {
    const ada = await app.actor('ada', { scopes: ['posts:read'] })
    const [post] = (await ada.get('/posts')).json.data
    await walk('/staff/posts/new', 'ada', 'ben')
    await walk('/staff/posts/categories', 'ada', 'ben')
    await walk(`/staff/posts/${post.id}`, 'ada', 'ben')
  },
  '/staff/events/:event and the other pages of events': async ({ app, walk }) => {
    const ada = await app.actor('ada', { scopes: ['events:read'] })
    const { json: event } = await ada.get('/events/slug:open-kitchen')
    await walk('/staff/events/new', 'ada', 'ben')
    await walk(`/staff/events/${event.id}`, 'ada', 'ben')
    await walk(`/staff/events/${event.id}/questions`, 'ada', 'ben')
    await walk(`/staff/events/${event.id}/dates/${event.next_occurrence.id}`, 'ada', 'ben')
    const [ticket] = (await ada.get(`/events/${event.id}/ticket-types`)).json.data
    await walk(`/staff/events/${event.id}/tickets/${ticket.id}`, 'ada', 'ben')
  },
  '/staff/fields and /staff/fields/:id': async ({ app, walk }) => {
    const ada = await app.actor('ada', { scopes: ['members:write'] })
    const field = { key: 'mill', label: 'Mill', type: 'choice', options: ['Stone', 'Steel'] }
    const { json, text } = await ada.write('POST', '/custom-fields', field)
    assert.ok(json.id, text)
    for (const page of ['', `/${json.id}`]) await walk(`/staff/fields${page}`, 'ada', 'ben')
  },
  '/staff/students/:id/lessons/:lesson': async ({ app, walk }) => {
    const ada = await app.actor('ada', { scopes: [...TEACHING, 'students:read'] })
    const { id, lessons } = await teach(ada, 'Of students', [{ name: 'Only' }])
    await enrollIn(app, 'dev', id)
    const [enrollment] = (await ada.get(`/enrollments?course_id=${id}`)).json.data
    await walk(`/staff/students/${enrollment.id}/lessons/${lessons[0]}`, 'ada', 'ben')
  },
  '/staff/bin and /staff/bin/:id': async ({ app, walk }) => {
    const { remove, ada } = useBin(app)
    const { json } = await (await ada()).write('POST', '/posts', { title: 'Of the bin' })
    await remove({ path: `/posts/${json.id}` })
    for (const page of ['', `/${json.id}`]) await walk(`/staff/bin${page}`, 'ada', 'ben')
  },
  '/staff/people/:id': async ({ app, walk }) => {
    const ada = await enterAccount(visitorAt(app, 'ada'))
    const people = await ada.open('/staff/people?q=dev')
    const path = /href="(\/staff\/people\/mem_\w+)"/.exec(people.text)?.[1] ?? ''
    for (const page of ['', '/details', '/acts/role', '/acts/suspend', '/view'])
      await walk(`${path}${page}`, 'ada', 'ben')
    const [, id = ''] = /(mem_\w+)$/.exec(path) ?? []
    await walk(`/staff/people/bulk?act=tag&id=${id}`, 'ada', 'ben')
  },
  '/staff/segments/new and /staff/segments/:id': async ({ app, walk }) => {
    const ada = await app.actor('ada', { scopes: ['members:write'] })
    const { json, text } = await ada.write('POST', '/segments', { name: 'Of forms', filter: { role: 'member' } })
    assert.ok(json.id, text)
    for (const page of ['new?role=member', json.id]) await walk(`/staff/segments/${page}`, 'ada', 'ben')
  },
  '/staff/invoices': async ({ walk }) => {
    await walk('/staff/invoices', 'ada', 'ben')
  },
}
