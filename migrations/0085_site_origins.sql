-- Pages for people are at an origin of their own where the base URL is an address literal: browsers allow no passkeys there, and
-- apps that registered themselves listen there. Null: the base URL.
alter table schools add column site_origin text;

alter table hosts drop constraint hosts_purpose_check;
alter table hosts add constraint hosts_purpose_check check (purpose in ('school', 'site', 'alias', 'pages'));

-- A page that another program made has had the other name of this computer as its host, which is that of the school now.
update hosts set host = 'pages.' || host where purpose = 'pages' and host ~ '^localhost(:\d+)?$';

-- Gives a school on loopback its further hosts: that of its pages, and the other names of this computer on its port.
create function stoa.add_loopback_hosts(of_school uuid) returns void language plpgsql as $$
declare
  base text := (select base_url from schools where id = of_school);
  port text := coalesce(substring(base from ':\d+$'), '');
  site text := 'localhost' || port;
begin
  if base !~ '^http://(127\.|\[::1\]|([^./:]+\.)?localhost(:|$))' then return; end if;
  if base ~ '^http://(127\.|\[)' then
    insert into hosts (host, school_id, purpose) values (site, of_school, 'site') on conflict do nothing;
    if not found then
      -- The last digits of a version 7 UUID are random, the first ones its time.
      site := 's-' || right(of_school::text, 8) || '.localhost' || port;
      insert into hosts (host, school_id, purpose) values (site, of_school, 'site');
    end if;
    update schools set site_origin = 'http://' || site where id = of_school;
  end if;
  insert into hosts (host, school_id, purpose)
  select name || port, of_school, 'alias' from unnest(array['localhost', '127.0.0.1', '[::1]']) as name
  on conflict do nothing;
end $$;

select stoa.add_loopback_hosts(id) from (select id from schools order by id) as school;

-- The API reference is at the origin of the pages.
update clients set redirect_uris = array[s.site_origin || '/docs/callback']
from schools s where s.id = clients.school_id and s.site_origin is not null and clients.id = 'api-reference';

-- Their cookies were limited to a path that no longer exists.
update sessions set ended_at = stoa.now()
where ended_at is null and school_id in (select id from schools where base_url like 'http:%');
