// What pages look like.

import "./pages";
