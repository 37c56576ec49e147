// What people and others do with them. The files share a server, so that they run one after the other.

import "./checkup";
import "./states";
import "./attacks";
