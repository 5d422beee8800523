-- An authorization in which somebody signed in is found by that session too: on loopback its pages have a path of their
-- own, which no other cookie reaches. Only a hash is stored, as of every secret.
alter table authorization_requests add column session_hash bytea;

-- On loopback a session's cookie was sent to every port of the host. What was taken then is worth nothing from here on.
update sessions s set ended_at = stoa.now()
from schools c
where c.id = s.school_id and c.base_url like 'http://%' and s.ended_at is null;
