### Measurements by several hosts: errors are phrases without a capital or a full stop.

# $rank: number of the host
fleet-lost = host { $rank } is gone; what it had measured is in its own store
# $rank: number of the host; $error: what failed there
fleet-host = host { $rank }: { $error }
# $theirs, $ours: programs with their versions
fleet-versions = this host has { $theirs }, and host 0 has { $ours }: install the same version on all
fleet-asked = this host was given other arguments than host 0: start all with the same
fleet-no-resume = --resume is for one host only
