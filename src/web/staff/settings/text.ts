// One thing: the texts of the pages of settings.
import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the pages of settings, in every language. */
export const settingsText = {
  name: say('Settings', 'Definições'),
  about: say(
    'Name, languages, time zone, seller, tax and checkout',
    'Nome, línguas, fuso horário, vendedor, impostos e compra',
  ),
  save: say('Save', 'Guardar'),
  saved: say('The settings are saved.', 'As definições foram guardadas.'),
  parts: say('Settings', 'Definições'),
  none: say('None', 'Nenhum'),
  unpublished: say('{title} (not published)', '{title} (por publicar)'),
  moreLanguages: say('More languages', 'Mais línguas'),
  ownersOnly: say('Only owners can change these settings.', 'Só os proprietários podem mudar estas definições.'),
  school: {
    title: say('School', 'Escola'),
    about: say(
      'People see the name on every page and in every mail. Changes take effect at once.',
      'O nome aparece em todas as páginas e mensagens. As alterações têm efeito imediato.',
    ),
  },
  seller: {
    title: say('Seller', 'Vendedor'),
    about: say(
      'Who sells, as invoices name it. Invoices that were issued before stay as they are.',
      'Quem vende, como aparece nas faturas. As faturas já emitidas ficam como estão.',
    ),
  },
  tax: {
    title: say('Tax', 'Impostos'),
    about: say(
      'Applies to orders that are placed from now on. Ask your accountant which rates apply to you.',
      'Vale para as encomendas feitas a partir de agora. Pergunte ao seu contabilista que taxas se aplicam.',
    ),
  },
  checkout: {
    title: say('Checkout and invoices', 'Compra e faturas'),
    about: say(
      'How long orders wait to be paid, and what buyers agree to.',
      'Quanto tempo as encomendas esperam pelo pagamento e o que os compradores aceitam.',
    ),
  },
  subscriptions: {
    title: say('Subscriptions', 'Assinaturas'),
    about: say(
      'What happens when a recurring payment fails, and who gets a trial.',
      'O que acontece quando um pagamento recorrente falha e quem tem direito a experiência.',
    ),
  },
  comments: {
    title: say('Comments', 'Comentários'),
    about: say('Who may comment, and on what.', 'Quem pode comentar e o quê.'),
  },
  labels: {
    name: say('Name of the school', 'Nome da escola'),
    description: say('Description', 'Descrição'),
    contact: say('Contact address', 'Endereço de contacto'),
    locale: say('Language', 'Língua'),
    locales: say('Languages the school teaches in', 'Línguas em que a escola ensina'),
    zone: say('Time zone', 'Fuso horário'),
    country: say('Country', 'País'),
    currency: say('Currency', 'Moeda'),
    signUp: say('Who can create an account', 'Quem pode criar uma conta'),
    reviews: say('Reviews of courses', 'Avaliações de cursos'),
    legalName: say('Legal name', 'Nome legal'),
    line1: say('Street and number', 'Rua e número'),
    line2: say('Second line of the address', 'Segunda linha da morada'),
    postalCode: say('Postal code', 'Código postal'),
    city: say('Town or city', 'Localidade'),
    region: say('State, province or district', 'Estado, província ou distrito'),
    taxId: say('Tax id', 'Número de identificação fiscal'),
    registration: say('Entry in a register', 'Registo'),
    sellerEmail: say('Address for buyers', 'Endereço para compradores'),
    taxMode: say('Prices and tax', 'Preços e impostos'),
    rates: say('Tax rates', 'Taxas de imposto'),
    taxedAt: say('Sales online are taxed', 'As vendas online são tributadas'),
    reverseCharge: say('Reverse charge in the EU', 'Autoliquidação na UE'),
    holdMinutes: say(
      'Minutes that an unpaid order keeps its places',
      'Minutos que uma encomenda por pagar guarda os lugares',
    ),
    holdDays: say(
      'Days that an order by bank transfer keeps them',
      'Dias que uma encomenda por transferência os guarda',
    ),
    terms: say('Page with the terms', 'Página com as condições'),
    waiver: say('Consent to begin at once', 'Acordo para começar de imediato'),
    waiverRequired: say('Sell digital content only to buyers who agree', 'Vender conteúdos digitais só a quem aceita'),
    orderPrefix: say('Numbers of orders begin with', 'Os números das encomendas começam por'),
    invoicePrefix: say('Numbers of invoices begin with', 'Os números das faturas começam por'),
    invoiceLanguage: say('Language of invoices', 'Língua das faturas'),
    retainYears: say('Years that invoices keep erased buyers', 'Anos que as faturas guardam compradores apagados'),
    pastDue: say('Access while a payment is overdue', 'Acesso com um pagamento em atraso'),
    retryDays: say('Days on which a payment is tried again', 'Dias em que um pagamento é tentado de novo'),
    afterRetries: say('After the last try', 'Depois da última tentativa'),
    trialMethod: say('A trial needs a payment method', 'Uma experiência precisa de um meio de pagamento'),
    oneTrial: say('One trial for each member', 'Uma experiência por membro'),
    membersPause: say('Members may pause their subscriptions', 'Os membros podem pausar as suas assinaturas'),
    commentPosts: say('Posts', 'Artigos'),
    commentCourses: say('Courses', 'Cursos'),
    commentLessons: say('Lessons', 'Aulas'),
    commentEvents: say('Events', 'Eventos'),
  },
  hints: {
    description: say('A few sentences, shown on the home page.', 'Algumas frases, mostradas na página inicial.'),
    contact: say('Replies to mails of the school go here.', 'As respostas às mensagens da escola vão para aqui.'),
    locale: say(
      'The language of courses and pages. Mails and built-in pages use it where a translation exists.',
      'A língua dos cursos e das páginas. As mensagens e as páginas de base usam-na quando há tradução.',
    ),
    locales: say('The language above is one of them.', 'A língua acima é uma delas.'),
    currency: say(
      'It changes only while nothing has a price in the present one.',
      'Só muda enquanto nada tiver preço na moeda atual.',
    ),
    legalName: say('As it must appear on invoices.', 'Como tem de aparecer nas faturas.'),
    taxId: say(
      'In the EU with its prefix, such as PT123456789. Needs the address.',
      'Na UE com o prefixo, como PT123456789. Precisa da morada.',
    ),
    registration: say('The entry in the register of companies, if there is one.', 'O registo comercial, se existir.'),
    sellerEmail: say(
      'Where buyers write to about orders and invoices.',
      'Para onde os compradores escrevem sobre encomendas e faturas.',
    ),
    rates: say(
      'One on each line, such as PT | 23 | IVA. A star stands for all other countries.',
      'Uma por linha, como PT | 23 | IVA. Um asterisco vale para todos os outros países.',
    ),
    reverseCharge: say(
      'Businesses of other EU countries that give a VAT number pay no tax to you. Needs your tax id.',
      'As empresas de outros países da UE que indicam o número de IVA não lhe pagam imposto. Precisa do seu número fiscal.',
    ),
    holdMinutes: say('From 30 to 120.', 'De 30 a 120.'),
    holdDays: say('From 1 to 30.', 'De 1 a 30.'),
    terms: say(
      'Buyers accept it before they pay. Write it under “Pages” first.',
      'Os compradores aceitam-na antes de pagar. Escreva-a primeiro em «Páginas».',
    ),
    waiver: say(
      'The sentence by which buyers of digital content agree that it begins at once.',
      'A frase com que os compradores de conteúdos digitais aceitam que comece de imediato.',
    ),
    prefix: say('Capital letters and digits, such as ORD.', 'Maiúsculas e algarismos, como ORD.'),
    retainYears: say(
      'How long invoices must be kept by law where you are, from 1 to 30.',
      'Durante quanto tempo a lei manda guardar as faturas, de 1 a 30.',
    ),
    retryDays: say('In ascending order, such as 1, 3, 5, 7.', 'Por ordem crescente, como 1, 3, 5, 7.'),
  },
  choices: {
    signUp: {
      open: say('Anybody', 'Qualquer pessoa'),
      invite: say('Only who is invited', 'Só quem é convidado'),
      closed: say('Nobody', 'Ninguém'),
    },
    reviews: {
      approval: say('Staff approve them first', 'A equipa aprova-as primeiro'),
      direct: say('They appear at once', 'Aparecem de imediato'),
    },
    taxMode: {
      none: say('The school charges no tax', 'A escola não cobra imposto'),
      inclusive: say('Prices contain the tax', 'Os preços incluem o imposto'),
      exclusive: say('Tax is added to prices', 'O imposto é somado aos preços'),
    },
    taxedAt: {
      buyer: say('Where the buyer is', 'Onde está o comprador'),
      school: say('Where the school is', 'Onde está a escola'),
    },
    invoiceLanguage: {
      '': say('That of the school', 'A da escola'),
      en: say('English', 'Inglês'),
      pt: say('Portuguese', 'Português'),
    },
    pastDue: {
      keep: say('Stays open', 'Continua aberto'),
      stop: say('Is suspended', 'Fica suspenso'),
    },
    afterRetries: {
      cancel: say('The subscription ends', 'A assinatura termina'),
      keep: say('The subscription stays unpaid', 'A assinatura fica por pagar'),
    },
    comments: {
      open: say('Everybody may comment', 'Todos podem comentar'),
      approval: say('Staff approve comments first', 'A equipa aprova os comentários primeiro'),
      off: say('Nobody may comment', 'Ninguém pode comentar'),
    },
  },
  refusals: {
    field: say('Nothing was saved. Check “{field}”.', 'Nada foi guardado. Verifique «{field}».'),
    precondition_failed: say(
      'Somebody has changed the settings since you opened the page, so nothing was saved. Check what you typed and save it again.',
      'Alguém alterou as definições desde que abriu a página, por isso nada foi guardado. Verifique o que escreveu e guarde de novo.',
    ),
    currency_in_use: say(
      'Nothing was saved: courses or products have prices in the present currency. Archive these prices first.',
      'Nada foi guardado: há cursos ou produtos com preços na moeda atual. Arquive primeiro esses preços.',
    ),
    role_required: say('Your role does not allow this.', 'A sua função não o permite.'),
  },
} as const
