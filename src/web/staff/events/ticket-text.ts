import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts about tickets on the pages of events, in every language; `{…}` is filled in. */
export const ticketText = {
  tickets: say('Tickets', 'Bilhetes'),
  noTickets: say(
    'There are no tickets yet, so nobody can register.',
    'Ainda não há bilhetes, por isso ninguém se pode inscrever.',
  ),
  ticketFacts: say('{price} · {seats}', '{price} · {seats}'),
  free: say('Free', 'Grátis'),
  allSeats: say('all seats', 'todos os lugares'),
  ticketSeats: say('{n} seats', '{n} lugares'),
  approval: say('after approval', 'após aprovação'),
  addTicket: say('Add a ticket', 'Acrescentar um bilhete'),
  ticketName: say('Name of the ticket', 'Nome do bilhete'),
  price: say('Price ({currency}; 0: free)', 'Preço ({currency}; 0: grátis)'),
  ticketCapacity: say('Seats at this ticket (empty: all)', 'Lugares com este bilhete (vazio: todos)'),
  needsApproval: say(
    'The hosts decide who comes; nothing is paid before',
    'Quem recebe decide quem vem; nada se paga antes',
  ),
  removeTicket: say('Remove', 'Remover'),
  ticketAbout: say(
    'What was sold keeps its price. Changes hold for whoever registers from now on.',
    'O que foi vendido mantém o preço. As alterações valem para quem se inscrever a partir de agora.',
  ),
  editTicket: say('Edit', 'Editar'),
  least: say('Least that people may choose to pay ({currency})', 'Mínimo que se pode escolher pagar ({currency})'),
  leastHint: say(
    'Leave it empty for a fixed price. Otherwise the price above is what is suggested.',
    'Deixe vazio para um preço fixo. Caso contrário, o preço acima é o sugerido.',
  ),
  salesFrom: say('Sold from ({zone}; empty: at once)', 'À venda desde ({zone}; vazio: já)'),
  salesUntil: say('Sold until ({zone}; empty: until the start)', 'À venda até ({zone}; vazio: até ao início)'),
  fewest: say('Fewest seats in one order', 'Menos lugares por encomenda'),
  most: say('Most seats in one order', 'Mais lugares por encomenda'),
  ticketVisibility: say('Where people find it', 'Onde se encontra'),
  ticketVisibilities: {
    listed: say('On the page of the event', 'Na página do evento'),
    unlisted: say('By its address only', 'Só pelo seu endereço'),
  },
  ticketAudiences: {
    everybody: say('Everybody', 'Toda a gente'),
    groups: say('Members of the groups chosen below', 'Membros dos grupos escolhidos abaixo'),
    plans: say('Holders of the plans chosen below', 'Quem tem os planos escolhidos abaixo'),
  },
  ticketGroups: say('Groups', 'Grupos'),
  ticketPlans: say('Membership plans', 'Planos'),
  position: say('Place in the list', 'Lugar na lista'),
} as const
